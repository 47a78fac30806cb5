"""How long a question takes from HTML to cells: 2 KB, three formulas that no two runs share, a table, a list."""

import statistics
import time

from lms_tui.content.html import parse
from lms_tui.content.layout import layout

RUNS = 300
TARGET_P95_MS = 5.0
PROSE = (
    "<p>Consider a <b>uniform</b> rod in a field, H<sub>2</sub>O beside it and more words to fill the lines.</p>" * 6
)
QUESTION = r"""<p>Let \(f(x)=\frac{x^2+1}{x-%d}\) and \[\int_0^\infty e^{-%dx^2}\,dx=\frac{\sqrt{\pi}}{2}\] with
$\sum_{n=1}^\infty \frac{1}{n^{%d}}$.</p><ol type="a"><li>one<li>two</ol>
<table><tr><th>a<th>b<tr><td>1<td>some more words in a cell</table>"""


def question(number: int) -> str:
    """A question whose formulas no cache has seen."""
    text = PROSE + QUESTION % (number, number, number)
    return text + "<p>" + "words of the passage " * ((2048 - len(text)) // 21) + "</p>"


def main() -> None:
    started = time.perf_counter()
    layout(parse(question(1)), 76)
    first = (time.perf_counter() - started) * 1000
    taken = []
    for number in range(2, RUNS):
        html = question(number)
        started = time.perf_counter()
        layout(parse(html), 76)
        taken.append((time.perf_counter() - started) * 1000)
    quantiles = statistics.quantiles(taken, n=20)
    print(f"first {first:.1f} ms, then p50 {statistics.median(taken):.2f} ms, p95 {quantiles[-1]:.2f} ms")
    print(f"target p95 {TARGET_P95_MS} ms: {'reached' if quantiles[-1] <= TARGET_P95_MS else 'missed'}")


if __name__ == "__main__":
    main()
