"""Reads Moodle XML as its documentation describes the type cloze: sub-questions {weight:TYPE:answers}.

Written from Moodle's pages on the XML format and on embedded answers, and not from the writer.
"""

import re
import xml.etree.ElementTree as ET

_SUB = re.compile(r"\{(\d+):(NUMERICAL|NM|SHORTANSWER|SA|MULTICHOICE|MC):((?:[^}\\]|\\.)*)\}")


def read(text):
    """[(name, html without sub-questions, [right answers of each sub-question])]."""
    quiz = ET.fromstring(text)
    assert quiz.tag == "quiz"
    kinds = [question.get("type") for question in quiz]
    assert kinds[0] == "category"
    assert quiz[0].find("category/text").text.startswith("$course$/")
    found = []
    for question in quiz[1:]:
        assert question.get("type") == "cloze"
        name = question.find("name/text").text
        body = question.find("questiontext")
        assert body.get("format") == "html"
        html = body.find("text").text
        plain = _SUB.sub(" ", html)
        assert not set("{}") & set(plain)
        ET.fromstring(f"<div>{plain}</div>")  # well-formed, as Moodle's editor wants it
        found.append((name, plain, [_right(kind, answers) for _, kind, answers in _SUB.findall(html)]))
    return found


def _right(kind, answers):
    options = [option for option in re.split(r"(?<!\\)~", answers) if option]
    right = [option[1:] for option in options if option.startswith("=")]
    assert right
    if kind in ("NUMERICAL", "NM"):
        [only] = right
        value, _, tolerance = only.partition(":")
        assert 0 < float(tolerance) < 0.01
        return [float(value)]
    if kind in ("MULTICHOICE", "MC"):
        assert len(options) > 1
        assert len(right) == 1
    return [re.sub(r"\\(.)", r"\1", option) for option in right]
