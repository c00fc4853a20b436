import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.boolean import BooleanFunction, ExpressionError
from tests.boolean.brute import rows

NAMES = ("a", "b", "c")

# Trees of an expression: (text, meaning), the text with a bracket around every part.
LEAVES = st.sampled_from(
    [(name, lambda row, i=i: row[i]) for i, name in enumerate(NAMES)]
    + [("0", lambda row: 0), ("true", lambda row: 1), ("FALSE", lambda row: 0)]
)


def _binary(word, meaning):
    def make(left, right):
        (text, f), (other, g) = left, right
        return f"({text}) {word} ({other})", lambda row: int(meaning(f(row), g(row)))

    return make


BINARY = [
    _binary("and", lambda a, b: a and b),
    _binary("|", lambda a, b: a or b),
    _binary("XOR", lambda a, b: a != b),
    _binary("->", lambda a, b: not a or b),
    _binary("↔", lambda a, b: a == b),
]


def _larger(inner):
    both = st.tuples(st.sampled_from(BINARY), inner, inner).map(lambda t: t[0](t[1], t[2]))
    negated = inner.map(lambda t: (f"~({t[0]})", lambda row: 1 - t[1](row)))
    some = st.tuples(st.integers(1, 3), inner, inner, inner).map(
        lambda t: (
            f"atleast({t[0]}, {t[1][0]}, {t[2][0]}, {t[3][0]})",
            lambda row: int(sum(part[1](row) for part in t[1:]) >= t[0]),
        )
    )
    return both | negated | some


@given(st.recursive(LEAVES, _larger, max_leaves=12))
def test_an_expression_evaluates_as_its_parts_do(tree):
    text, meaning = tree
    f = BooleanFunction(text, NAMES)
    assert [f(*row) for row in rows(3)] == [meaning(row) for row in rows(3)]


@given(st.lists(st.sampled_from(["a", "~b", "c", "~a"]), min_size=2, max_size=7), st.data())
def test_and_xor_or_and_not_have_the_precedence_of_python(operands, data):
    text = operands[0]
    for operand in operands[1:]:
        text += f" {data.draw(st.sampled_from('&|^'))} {operand}"
    f = BooleanFunction(text, NAMES)
    # Python's own integers are the oracle here; the text is made by this test.
    expected = [eval(text, {}, dict(zip(NAMES, row, strict=True))) & 1 for row in rows(3)]
    assert [f(*row) for row in rows(3)] == expected


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a -> b -> c", "a -> (b -> c)"),
        ("a or b -> c <-> d", "((a or b) -> c) <-> d"),
        ("a or b xor c and not d", "a or (b xor (c and (not d)))"),
        ("not a and b", "(not a) and b"),
        ("majority(a, b, c)", "a and b or a and c or b and c"),
        ("majority(a, b)", "a and b"),
        ("A ∧ ¬B ∨ C", "A and not B or C"),
        ("A&&!B||C", "A and not B or C"),
        ("A => B <=> C", "A -> B <-> C"),
        ("A ⇒ B ⇔ C", "A -> B <-> C"),
        ("a\n and\tb", "a and b"),
    ],
)
def test_precedence(text, same):
    assert BooleanFunction(text) == BooleanFunction(same)


def test_variables_keep_the_order_of_first_appearance_unless_given():
    assert BooleanFunction("z and (a or z) and m").variables == ("z", "a", "m")
    assert BooleanFunction("z and a", ["a", "z", "idle"]).variables == ("a", "z", "idle")


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("a and )", 6, "missing before ')'"),
        ("a and", 5, "missing at the end"),
        ("", 0, "missing at the end"),
        ("   ", 0, "missing at the end"),
        ("a b", 2, "operator is missing before 'b'"),
        ("a or (b and c", 5, "never closed"),
        ("a)", 1, "no opening"),
        ("(a b)", 3, "closing bracket is missing"),
        ("a and # b", 6, "'#' is not allowed"),
        ("a == b", 2, "'=' is not allowed"),
        ("a and 2", 6, "'2' is not a truth value"),
        ("0110", 0, "from_table"),
        ("a and and b", 6, "missing before 'and'"),
        ("majority a", 9, "in brackets"),
        ("majority()", 9, "missing before ')'"),
        ("atleast(a, b)", 8, "whole number"),
        ("atleast(2)", 9, "comma"),
        ("atleast(3, a, b)", 8, "m is 3"),
        ("atleast(0, a)", 8, "m is 0"),
        ("__import__(os)", 10, "operator is missing before '('"),
        ("__import__('os')", 11, "is not allowed"),
        ("lambda: 0", 6, "':' is not allowed"),
        ("a.b", 1, "'.' is not allowed"),
    ],
)
def test_an_error_points_at_the_character(text, place, says):
    with pytest.raises(ExpressionError) as caught:
        BooleanFunction(text)
    assert caught.value.position == place
    assert says in str(caught.value)
    _, shown, caret = str(caught.value).split("\n")
    assert caret.index("^") == place + 2
    assert place >= len(text.rstrip()) or shown[place + 2] == text[place]


def test_an_error_in_a_later_line_shows_that_line():
    with pytest.raises(ExpressionError) as caught:
        BooleanFunction("a and\nb or ?")
    assert str(caught.value).endswith("\n  b or ?\n       ^")


def test_a_variable_that_was_not_given_is_named():
    with pytest.raises(ExpressionError, match=r"'c' is not among the variables given \(a, b\)"):
        BooleanFunction("a and c", ["a", "b"])


def test_the_seventeenth_variable_is_pointed_at():
    text = " or ".join(f"v{i}" for i in range(17))
    with pytest.raises(ExpressionError, match="variable number 17; at most 16") as caught:
        BooleanFunction(text)
    assert text[caught.value.position :].startswith("v16")
    assert BooleanFunction(text.removesuffix(" or v16")).n_variables == 16


def test_long_chains_are_parsed_and_deep_nesting_raises_a_clear_error():
    assert BooleanFunction(" and ".join(["a", "b"] * 3000)).bits == "0001"
    assert BooleanFunction("not " * 100 + "a").bits == "01"
    for deep in ("(" * 5000 + "a" + ")" * 5000, "not " * 5000 + "a", "a -> " * 5000 + "a"):
        with pytest.raises(ExpressionError, match="levels of nesting"):
            BooleanFunction(deep)
