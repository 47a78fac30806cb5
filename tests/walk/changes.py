"""The changes of wrong servers to right replies."""

import re
from typing import Any

import httpx

from tests.walk.wrong_server import Change, Memory, Reply, Send, Twist, answered, user_of


def each(name: str, value: Any) -> Change:
    """Give every row another value, or remove the field for None."""

    def change(reply: Reply, _: Memory) -> None:
        for row in reply.rows:
            if value is None:
                row.pop(name, None)
            elif name in row:
                row[name] = value(row[name]) if callable(value) else value

    return change


def status(status: int) -> Change:
    """Answer what succeeds with a refusal, or what is refused with another status."""

    def change(reply: Reply, _: Memory) -> None:
        reply.refuse(status)

    return change


def refused_with(status: int) -> Change:
    def change(reply: Reply, _: Memory) -> None:
        if reply.status == 403:
            reply.status = status

    return change


def allowed(tree: Any = None) -> Change:
    """Answer what is to be refused with success."""

    def change(reply: Reply, _: Memory) -> None:
        if reply.status == 403:
            reply.status, reply.tree = 200, tree if tree is not None else page()

    return change


def page(*rows: Any) -> dict[str, Any]:
    return {"count": len(rows), "next": None, "previous": None, "per_page": 20, "results": list(rows)}


def frozen(name: str) -> Change:
    """Answer with the value of the first time again and again."""

    def change(reply: Reply, memory: Memory) -> None:
        for row in reply.rows:
            row[name] = memory.setdefault(row["id"], row[name])

    return change


def running(name: str, value: Any) -> Change:
    def change(reply: Reply, _: Memory) -> None:
        for row in reply.rows:
            if row.get("state") == "Running":
                row[name] = value

    return change


def completed(name: str, value: Any) -> Change:
    def change(reply: Reply, _: Memory) -> None:
        for row in reply.rows:
            if row.get("state") == "Completed":
                row[name] = value(row[name]) if callable(value) else value

    return change


def question(name: str, value: Any) -> Change:
    """Change a field of the question in each row, or remove it for None."""

    def change(reply: Reply, _: Memory) -> None:
        for row in reply.rows:
            if value is None:
                row["question"].pop(name)
            else:
                row["question"][name] = value

    return change


async def lower_case_header_is_unknown(send: Send, request: httpx.Request, _: Memory) -> httpx.Response:
    names = [name for name, _ in request.headers.raw]
    return answered(401, b'{"detail": "no"}') if b"authorization" in names else await send(request)


async def pages_have_offsets(send: Send, request: httpx.Request, _: Memory) -> httpx.Response:
    request.url = httpx.URL(str(request.url).replace("offset=", "page="))
    response = await send(request)
    content = (await response.aread()).replace(b"?page=", b"?offset=")
    return answered(response.status_code, content)


def any_password(reply: Reply, memory: Memory) -> None:
    if reply.status == 200:
        memory[reply.asked["username"]] = reply.tree
    elif reply.asked["username"] in memory:
        reply.status, reply.tree = 200, memory[reply.asked["username"]]


def unsigned(reply: Reply, memory: Memory) -> None:
    """Read claims and never look at the signature."""
    if reply.status == 200:
        memory[reply.user] = reply.tree
    elif reply.user in memory:
        reply.status, reply.tree = 200, memory[reply.user]


def always_asha(reply: Reply, _: Memory) -> None:
    if reply.user == "ravi":
        reply.tree.update(username="asha", display_name="asha")


def no_last_page(reply: Reply, _: Memory) -> None:
    if reply.rows and "results" in reply.tree:
        reply.tree["next"] = None


def row_twice(reply: Reply, _: Memory) -> None:
    if len(reply.rows) == 20:
        reply.tree["results"][-1] = reply.tree["results"][0]


def more_watched_than_there_is(reply: Reply, _: Memory) -> None:
    reply.tree["videos_watched"] = reply.tree["total_videos"] + 1


def one_more_later(name: str) -> Change:
    """Count from the second reading on."""

    def change(reply: Reply, memory: Memory) -> None:
        memory["read"] = memory.get("read", 0) + 1
        if memory["read"] == 2:
            reply.tree[name] += 1

    return change


def never_counts(reply: Reply, memory: Memory) -> None:
    reply.tree["exams_attempted"] = memory.setdefault("first", reply.tree["exams_attempted"])


def no_reports(reply: Reply, _: Memory) -> None:
    reply.tree["student_report"] = {"reports": None}


def without_the_running(reply: Reply, _: Memory) -> None:
    reply.tree["results"] = [row for row in reply.tree["results"] if row["state"] != "Running"]


def anothers_attempts_too(reply: Reply, _: Memory) -> None:
    if reply.user == "asha" and not reply.query:
        reply.tree["results"] += [{**row, "id": row["id"] + 1000, "user": "ravi"} for row in reply.rows[:1]]


def of_every_exam(reply: Reply, _: Memory) -> None:
    for row in reply.rows[1:] or reply.rows:
        row["exam"] = {**row["exam"], "slug": "another"}


def unfiltered(name: str) -> Change:
    def change(reply: Reply, memory: Memory) -> None:
        if reply.user == "asha":
            if not reply.query:
                memory["all"] = reply.tree
            elif name in reply.query:
                reply.tree = memory["all"]

    return change


def not_restarted(reply: Reply, memory: Memory) -> None:
    """Take the pause off the time that is left."""
    if reply.status == 200:
        memory["starts"] = memory.get("starts", 0) + 1
        if memory["starts"] == 2:
            reply.tree["remaining_time"] = "0:14:50"


def never_over(reply: Reply, _: Memory) -> None:
    if (
        reply.status == 200
        and reply.tree.get("remaining_time") in {"0:00:00", None}
        and reply.tree["exam"]["slug"] == "sums"
    ):
        reply.tree["state"] = "Running"


def named_time_over(reply: Reply, _: Memory) -> None:
    for row in reply.rows:
        if row.get("remaining_time") == "0:00:00":
            row["state"] = "Time Over"


def tells_the_key(reply: Reply, _: Memory) -> None:
    for row in reply.rows:
        for option in row["question"]["answers"]:
            option["is_correct"] = False


def first_answer_stays(reply: Reply, memory: Memory) -> None:
    if reply.status == 200 and len(reply.tree["selected_answers"]) == 1:
        key = reply.tree["id"]
        reply.tree["selected_answers"] = memory.setdefault(key, reply.tree["selected_answers"])


def one_of_several(reply: Reply, _: Memory) -> None:
    for row in reply.rows:
        row["selected_answers"] = row["selected_answers"][:1]


def cannot_be_cleared(reply: Reply, memory: Memory) -> None:
    if reply.status == 200:
        chosen = reply.tree["selected_answers"]
        if chosen:
            memory[reply.tree["id"]] = chosen
        else:
            reply.tree["selected_answers"] = memory.get(reply.tree["id"], [])


def refuses_the_same_again(reply: Reply, memory: Memory) -> None:
    if reply.status == 200:
        key = reply.tree["id"]
        if memory.get(key) == reply.asked:
            reply.refuse(409)
        memory[key] = reply.asked


def forgets_in_between(reply: Reply, memory: Memory) -> None:
    memory["reads"] = memory.get("reads", 0) + 1
    if memory["reads"] > 2:
        for row in reply.rows:
            row["selected_answers"] = []


def nothing_said(reply: Reply, _: Memory) -> None:
    if reply.status == 200:
        reply.tree = {"detail": "ok"}


def text_is_cut(reply: Reply, _: Memory) -> None:
    if reply.status == 200 and reply.tree.get("short_text"):
        reply.tree["short_text"] = reply.tree["short_text"][:1]


def essay_on_one_line(reply: Reply, _: Memory) -> None:
    if reply.status == 200 and reply.tree.get("essay_text"):
        reply.tree["essay_text"] = " ".join(reply.tree["essay_text"].split())


def gaps_are_lost(reply: Reply, _: Memory) -> None:
    if reply.status == 200:
        reply.tree["gap_fill_responses"] = []


def not_found(reply: Reply, _: Memory) -> None:
    if reply.user == "ravi":
        reply.refuse(404)


def anyone(*paths: str) -> Twist:
    """Take every token for the owner's at these paths."""

    async def twist(send: Send, request: httpx.Request, memory: Memory) -> httpx.Response:
        if user_of(request) == "asha":
            memory["token"] = request.headers["authorization"]
        elif user_of(request) == "ravi" and any(
            re.search(path, f"{request.method} {request.url.path}") for path in paths
        ):
            request.headers["authorization"] = memory["token"]
        return await send(request)

    return twist


def shown_to_others(reply: Reply, memory: Memory) -> None:
    if reply.user == "asha" and reply.rows:
        memory["page"] = reply.tree
    elif reply.user == "ravi":
        reply.status, reply.tree = 200, memory["page"]


def changed_by_others(reply: Reply, memory: Memory) -> None:
    """After the second account came by, the answers are gone."""
    memory["reads"] = memory.get("reads", 0) + (reply.user == "asha")
    if memory["reads"] in {5, 6}:
        for row in reply.rows:
            row["selected_answers"] = []


def score_off(reply: Reply, _: Memory) -> None:
    for row in reply.rows:
        if row.get("state") == "Completed" and isinstance(row["score"], str):
            row["score"] = f"{float(row['score']) + 1:.2f}"


def marked_again(reply: Reply, memory: Memory) -> None:
    """Each reading of an ended attempt finds another score."""
    if reply.tree.get("state") == "Completed":
        memory["reads"] = memory.get("reads", 0) + 1
        if memory["reads"] == 2:
            reply.tree["correct_count"] += 1


def runs_again(reply: Reply, memory: Memory) -> None:
    if reply.tree.get("state") == "Completed":
        memory["reads"] = memory.get("reads", 0) + 1
        if memory["reads"] == 3:
            reply.tree["state"] = "Running"


def spends_time_after_the_end(reply: Reply, memory: Memory) -> None:
    if reply.tree.get("state") == "Completed":
        memory["reads"] = memory.get("reads", 0) + 1
        if memory["reads"] == 4:
            reply.tree["time_taken"] = "0:20:00"


def late_answer_counts(reply: Reply, memory: Memory) -> None:
    """The question that was answered after the end shows its late answer."""
    if reply.rows and not memory.get("done"):
        first = reply.rows[0]
        first["selected_answers"] = [first["question"]["answers"][0]["id"]]
        memory["done"] = True


def answers_lost(reply: Reply, memory: Memory) -> None:
    memory["pages"] = memory.get("pages", 0) + bool(reply.rows)
    if memory["pages"] == 1 and reply.rows:
        for row in reply.rows:
            row["selected_answers"] = []


def nothing_is_right(reply: Reply, _: Memory) -> None:
    for row in reply.rows:
        for option in row["question"]["answers"]:
            option["is_correct"] = False


def last_time_kept(reply: Reply, memory: Memory) -> None:
    """The attempt whose time ran out has lost its answer."""
    memory["pages"] = memory.get("pages", 0) + bool(reply.rows)
    if memory["pages"] > 2:
        for row in reply.rows:
            row["selected_answers"] = []


def does_not_add_up(reply: Reply, _: Memory) -> None:
    for row in reply.rows:
        row["total"] += 1


def still_available(reply: Reply, memory: Memory) -> None:
    if reply.query.get("state") == "available":
        reply.tree["results"].append({"slug": "sums"})


def second_section_runs(reply: Reply, _: Memory) -> None:
    for section in reply.tree.get("sections", []):
        section["state"] = "Running"


def later(reply: Reply, _: Memory) -> None:
    if reply.status == 403:
        reply.status, reply.tree = 201, {"id": 0, "state": "Running"}
