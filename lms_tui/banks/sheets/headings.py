"""Find the columns of a sheet of questions by their headings, in common words of several languages."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final

from lms_tui.banks.model import NotAnExam
from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen

_ROLES: Final[Mapping[str, str]] = {
    "question": (
        "q|question|question text|stem|prompt|frage|fragetext|aufgabe|pregunta|enunciado|enonce"
        "|intitule|domanda|pergunta|questao|vraag|fraga|sporgsmal|sporsmal|kysymys|pytanie|otazka"
        "|kerdes|intrebare|soru|вопрос|питання|ερωτηση|cau hoi|pertanyaan|soal|質問|問題|问题|題目"
        "|题目|질문|문제|प्रश्न|प्रश्नः|سؤال|السؤال|سوال|கேள்வி|ప్రశ్న|প্রশ্ন|שאלה|คำถาม"
    ),
    "answer": (
        "answer|answers|correct|correct answer|correct answers|right answer|correct option|correct letter|answer key"
        "|true false answer|numeric value|numeric answer"
        "|key|richtige antwort|richtige antworten|richtig|losung|respuesta correcta"
        "|respuestas correctas|correcta|clave|bonne reponse|bonnes reponses|reponse correcte|corrige"
        "|risposta corretta|risposta esatta|corretta|resposta correta|gabarito|juiste antwoord"
        "|goede antwoord|ratt svar|riktig svar|rigtigt svar|oikea vastaus|prawidlowa odpowiedz"
        "|spravna odpoved|helyes valasz|raspuns corect|dogru cevap|правильный ответ|ответ"
        "|правильна відповідь|σωστη απαντηση|dap an|dap an dung|jawaban benar|kunci jawaban|kunci"
        "|jawaban|正解|答え|正确答案|答案|正確答案|정답|सही उत्तर|उत्तर|الإجابة الصحيحة"
        "|الاجابة الصحيحة|الإجابة|சரியான விடை|విధానం|সঠিক উত্তর|תשובה נכונה|เฉลย"
    ),
    "tolerance": "tolerance|numeric tolerance|margin of error|toleranz|tolerancia|tolleranza",
    "options": (
        "options|choices|answer options|answer choices|antworten|antwortmoglichkeiten|opciones|choix"
        "|propositions|opzioni|opcoes|alternativas|opties|alternativ|варианты|варианты ответов|选项"
        "|選択肢|보기|विकल्प"
    ),
    "type": (
        "type|question type|typ|fragetyp|tipo|tipo de pregunta|type de question|tipo di domanda|тип"
        "|类型|題型|유형"
    ),
    "explanation": (
        "explanation|answer explanation|rationale|solution|erklarung|begrundung|explicacion"
        "|retroalimentacion|explication|justification|spiegazione|explicacao|uitleg|toelichting"
        "|forklaring|aciklama|объяснение|пояснение|feedback|解説|解析|해설|व्याख्या|penjelasan"
        "|pembahasan"
    ),
    "points": (
        "points|point|marks|mark|score|punkte|puntos|puntaje|punti|pontos|punten|poang|poeng|punkty"
        "|puan|баллы|балл|配点|分值|分数|배점|अंक|poin|skor"
    ),
    "negative": "negative marks|negative|penalty|minus|abzug|negative mark",
    "subject": (
        "subject|topic|category|chapter|fach|thema|kategorie|tema|asignatura|categoria|matiere|theme"
        "|chapitre|categorie|materia|argomento|onderwerp|amne|konu|тема|предмет|分野|主题|科目|과목"
        "|विषय"
    ),
    "section": "section|part|abschnitt|seccion|partie|sezione|secao|раздел|セクション",
    "passage": "passage|text passage|context|direction|directions|texte|lesetext",
    "id": "id|question id|code|identifier|kennung|codigo",
    "title": "title|name|question name|question title|titel|titre|titulo|titolo",
    "tags": "tags|tag|keywords|labels|schlagworte|etiquetas|etiquettes|mots cles",
    "language": "language|sprache|idioma|langue|lingua|язык",
    "number": (
        "#|no|nr|number|question #|question no|question number|s no|sl no|sno|serial|nummer|numero|№"
        "|番号|序号"
    ),
}  # fmt: skip
"""The words of each column, in lower case and without accents."""
_OPTION: Final = (
    "option|answer|choice|answer option|alternative|distractor choice|antwort|antwortmoglichkeit"
    "|opcion|respuesta|reponse|choix|proposition|opzione|risposta|opcao|alternativa|resposta"
    "|optie|antwoord|svar|svarsalternativ|alternativ|vaihtoehto|vastaus|odpowiedz|moznost|odpoved"
    "|valasz|varianta|raspuns|secenek|sik|cevap|вариант|вариант ответа|ответ|відповідь|απαντηση"
    "|dap an|pilihan|opsi|jawaban|选项|選項|選択肢|回答|보기|विकल्प|خيار|الخيار|إجابة|விருப்பம்"
    "|ఎంపిక|বিকল্প"
)
_WRONG: Final = (
    "wrong answer|wrong|incorrect answer|incorrect|incorrect option|distractor|falsche antwort|falsch|incorrecta"
)
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
"""The place of a space in a heading such as `questionText`."""
_REMARK: Final = re.compile(r"[\n(–—].*|\s-\s.*", re.DOTALL)
_ROLES_NEEDED: Final = ("answer", "options", "type", "option")
_COLUMN: Final = re.compile(r"[A-Za-z]{1,2}")


@frozen
class Columns:
    """The places of the columns. `options` and `wrong` hold those with one option each."""

    named: Mapping[str, int]
    options: tuple[int, ...] = ()
    wrong: tuple[int, ...] = ()
    unknown: tuple[int, ...] = ()
    headings: tuple[str, ...] = ()
    unsure: str = ""
    """A heading that two columns of answers or of questions have."""


def _plain(heading: str) -> str:
    """Return a heading in lower case, without marks, remarks in brackets and a final colon."""
    spaced = _CAMEL.sub(" ", heading.strip())
    bare = "".join(char for char in unicodedata.normalize("NFKD", spaced) if not unicodedata.combining(char))
    folded = unicodedata.normalize("NFC", _REMARK.sub("", bare)).casefold().replace("ß", "ss")
    return " ".join(folded.replace("*", " ").replace("_", " ").split()).strip(" :.?")


def _plain_words(words: str) -> str:
    return "|".join(re.escape(_plain(word)) for word in words.split("|"))


_BY_WORD: Final = {_plain(word): role for role, words in _ROLES.items() for word in words.split("|")}
_INDEXED: Final = re.compile(
    rf"(?:(?P<wrong>{_plain_words(_WRONG)})|(?:{_plain_words(_OPTION)}))?[ .:#_-]*(?P<index>[a-j]|10|[1-9])"
)


def _name_question(named: dict[str, int], unknown: list[int], row: Sequence[str]) -> None:
    """Take the column of titles as that of the questions, or one named “text” beside a column of types."""
    if "title" in named:
        named["question"] = named.pop("title")
    elif "type" in named and (at := _place_of("text", row)) in unknown:
        named["question"] = at
        unknown.remove(at)


def columns_of(row: Sequence[str]) -> Columns | None:
    """Return the columns if a row is one of headings: a question, and answers or options."""
    named: dict[str, int] = {}
    options: list[int] = []
    wrong: list[int] = []
    unknown: list[int] = []
    unsure = ""
    for at, heading in enumerate(row):
        plain = _plain(heading)
        role = _BY_WORD.get(plain)
        if not plain:
            continue
        if role and role not in named:
            named[role] = at
        elif role in {"question", "answer"}:
            unsure = heading
        elif found := _INDEXED.fullmatch(plain):
            (wrong if found["wrong"] else options).append(at)
        else:
            unknown.append(at)
    if "question" not in named:
        _name_question(named, unknown, row)
    if "question" not in named or not (options or wrong or named.keys() & set(_ROLES_NEEDED)):
        return None
    return Columns(named, tuple(options), tuple(wrong), tuple(unknown), tuple(row), unsure)


def _place_of(heading: str, row: Sequence[str]) -> int:
    return next((at for at, each in enumerate(row) if _plain(each) == heading), -1)


def columns_given(written: str, row: Sequence[str]) -> Columns:
    """Return the columns that a user names: `question=A,options=C-F,answer=G`. Raises NotAnExam."""
    named: dict[str, int] = {}
    options: tuple[int, ...] = ()
    for part in filter(None, (part.strip() for part in written.split(","))):
        role, equals, place = (piece.strip() for piece in part.partition("="))
        first, _, last = place.partition("-")
        if not equals or role not in {*_ROLES, "option"} or not all(map(_COLUMN.fullmatch, (first, last or first))):
            message = f"“{clean_line(part)[:40]}” names no column."
            raise NotAnExam(message, f"Write --columns question=A,options=C-F,answer=G. Names: {', '.join(_ROLES)}.")
        start, end = _place(first), _place(last or first)
        if role in {"options", "option"} and (last or role == "option"):
            options = (*options, *range(start, end + 1))
        else:
            named[role] = start
    if "question" not in named:
        raise NotAnExam("No column holds the questions.", "Write --columns question=A,options=C-F,answer=G.")
    used = {*named.values(), *options}
    return Columns(named, options, (), tuple(at for at in range(len(row)) if at not in used), tuple(row))


def _place(letters: str) -> int:
    place = 0
    for letter in letters.upper():
        place = place * 26 + ord(letter) - ord("A") + 1
    return place - 1
