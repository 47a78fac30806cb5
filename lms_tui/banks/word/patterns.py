"""The signs by which people mark questions, options, answers and keys in a document."""

import re
from typing import Final

_SEPARATORS: Final = r"[.)\]、．:：]"
_WORDS: Final = (
    r"q(?:uestion|uiz)?|item|frage|aufgabe|pregunta|quest[ãa]o|domanda|vraag|pytanie|soru|soal|savol|câu(?: hỏi)?"
    r"|вопрос|задание|питання|第|प्रश्न|প্রশ্ন|سؤال"
)
NUMBER: Final = re.compile(
    rf"\s*(?:(?:{_WORDS})\s*(?:no\.?\s*)?[#№]?\s*(?P<named>\d{{1,4}})\s*题?\s*(?:{_SEPARATORS}|[-–—])*"
    rf"|[(\[#]?(?P<bare>\d{{1,4}})(?P<sign>\s*{_SEPARATORS}+)(?!\d))\s*",
    re.IGNORECASE,
)
"""The number before a question."""
_LETTERS: Final = "A-Ja-jАБВГДЕЖабвгдеж"
OPTION: Final = re.compile(
    rf"\s*(?P<star>[*+✓✔√]+)?\s*[(\[]?(?P<letter>[{_LETTERS}])(?P<after>\*)?\s*{_SEPARATORS}+(?!\w\.)\s*"
)
"""The letter before an option."""
BOX: Final = re.compile(r"\s*(?P<box>[☐□○◯]|\[ ?\]|(?P<on>[☑☒■●✓✔]|\[[xX*]\]))\s*(?=\S)")
_INSIDE: Final = re.compile(rf"(?:^|(?<=[\s\u3000;；。？?)）]))[*√✓]?[(\[]?([A-H]|[a-h])\s*{_SEPARATORS}\s*(?=\S)")
ANSWER: Final = re.compile(
    r"\s*[*(\[]?\s*(?:the\s+)?(?:(?:correct|right)\s+)?"
    r"(?:answers?|ans|correct(?: option| choice)?|key|lösung|(?:richtige )?antwort|respuesta(?: correcta)?"
    r"|(?:bonne )?réponse|risposta(?: corretta)?|resposta(?: correta)?|gabarito|odpowiedź|cevap|doğru cevap|javob"
    r"|(?:правильный )?ответ|відповідь|đáp án(?: đúng)?|jawaban|kunci(?: jawaban)?|【?(?:正确|参考)?答案】?|正解|정답"
    r"|उत्तर|উত্তর|الإجابة)\s*(?P<text>\(text\))?(?:\s+is)?\s*(?:[.:=：】]+|\s[-–—]+|(?=\s*\(?[A-Ja-j]\)?[.\])]*\s*$))\s*"
    r"(?P<key>.*)",
    re.IGNORECASE | re.DOTALL,
)
"""A line with the answer of the question above it."""
ANSWER_INSIDE: Final = re.compile(
    r"\s*[(\[【]\s*(?:correct\s+)?(?:ans(?:wer)?|key|đáp án|ответ|答案)\s*[.:=：-]"
    r"\s*([^()\[\]【】]{1,60}?)\s*[)\]】]\s*$",
    re.IGNORECASE,
)
BLANK_WITH_KEY: Final = re.compile(r"([（(])[\s\u3000\u00a0]*([A-H]{1,6})[\s\u3000\u00a0]*([）)])")
"""The letters of the right options in brackets inside the text, as in Chinese papers."""
EXPLANATION: Final = re.compile(
    r"\s*(?:explanation|rationale|feedback|solution|reason|justification|erklärung|begründung|explicación|explication"
    r"|spiegazione|explicação|объяснение|пояснение|giải thích|hướng dẫn giải|lời giải|pembahasan|【?解析】?|解説|해설)"
    r"\s*[.:：】]+\s*",
    re.IGNORECASE,
)
POINTS: Final = re.compile(r"\s*(?:points?|marks?|punkte|puntos|баллы)\s*[:=]\s*(\d+(?:[.,]\d+)?)\s*$", re.IGNORECASE)
KEYS: Final = re.compile(
    r"\s*(?:the\s+)?(?:answer\s*keys?|answers?(?:\s+(?:key|sheet|list)s?)?|correct answers|keys?|solutions|lösungen"
    r"|antworten|respuestas|réponses|corrigé|risposte|gabarito|ключи?|ответы|відповіді|đáp án|bảng đáp án"
    r"|kunci jawaban|【?(?:参考)?答案】?|正解|정답)\s*[:：]?\s*$",
    re.IGNORECASE,
)
"""A line above the key of the whole paper."""
SECTION: Final = re.compile(
    r"\s*(?:section|part|unit|chapter|module|abschnitt|teil|partie|parte|sección|раздел|часть|глава|phần|chương"
    r"|第\s*[一二三四五六七八九十\d]+\s*[部章节部分])(?:\b|(?<=[部章节分])).{0,100}$",
    re.IGNORECASE | re.DOTALL,
)
PASSAGE: Final = re.compile(
    r"(?:read|directions?|passage|questions?\s+\d+\s*(?:-|–|to|and)\s*\d+|items?\s+\d+\s*(?:-|–|to|and)\s*\d+"
    r"|for\s+(?:questions|items)|the following|refer|based on|case\b|scenario|阅读|根据)",
    re.IGNORECASE,
)
"""The beginning of a text that belongs to the questions after it."""
STAR: Final = re.compile(
    r"^\s*[*✓✔√]+\s*|\s*(?:[*✓✔√]+|[(\[](?:correct(?: answer)?|right|true answer|richtig|correcta|vrai)[)\]])\s*$",
    re.IGNORECASE,
)
"""A sign of a right option."""
TRUE_OR_FALSE: Final = frozenset(
    {"true", "false", "wahr", "falsch", "richtig", "vrai", "faux", "verdadero", "falso", "vero", "да", "нет", "yes",
     "no", "đúng", "sai", "правда", "ложь", "верно", "неверно", "对", "错", "正确", "错误"}
)  # fmt: skip
KEY_PAIR: Final = re.compile(
    r"(?<![\w.])(?P<number>\d{1,4})\s*[.):、．\]=–—-]*\s*[(\[]?"
    r"(?P<letters>[A-Ja-j](?:\s*[,&/+]\s*[A-Ja-j])*|[A-J]{2,6}|true|false|T|F)[)\].]*(?![\w'])",
    re.IGNORECASE,
)
KEY_RUN: Final = re.compile(r"(?<!\d)(\d{1,4})\s*[-–~—]\s*(\d{1,4})\s*[.:：)、]?\s*([A-Ja-j](?:[\s,]*[A-Ja-j])+)(?!\w)")
"""The keys of several questions in a row: `1-5 ABCDA`."""


def place_of(letter: str) -> int:
    """Return the place of a letter from 0. Russian letters have their own order."""
    at = "АБВГДЕЖ".find(letter.upper())
    return at if at >= 0 else ord(letter.upper()) - ord("A")


def options_inside(text: str, first: int) -> list[tuple[int, int]]:
    """Return the starts and the ends of the letters of options inside a line, from the letter at place `first`.

    Two letters are enough at the beginning of a line, and three after other text.
    """
    found: list[tuple[int, int]] = []
    is_upper = False
    for mark in _INSIDE.finditer(text):
        same_case = not found or mark[1].isupper() == is_upper
        if place_of(mark[1]) == first + len(found) and same_case:
            is_upper = mark[1].isupper()
            found.append((mark.start(), mark.end()))
    begins = bool(found) and not text[: found[0][0]].strip()
    return found if len(found) >= (2 if begins else 3) else []
