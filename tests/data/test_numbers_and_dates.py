"""Units of numbers and mixed formats of dates."""

import csv
import random
from datetime import date, timedelta
from itertools import pairwise

import pytest

from rosenblatt.data import ReadOptions, read
from rosenblatt.data.columns.dates import DateFormat, guess_date_format
from rosenblatt.data.columns.number_text import guess_number_format, units_of


@pytest.mark.parametrize(
    ("texts", "units"),
    [
        (["5 kg", "7.5kg", "1,000 kg"], ("kg",)),
        (["1 year", "2 years", "3 years"], ("year",)),
        (["20 m²", "31.5 m²"], ("m²",)),
        (["-3 °C", "12 °C"], ("°C",)),
        (["80 km/h", "90 km/h"], ("km/h",)),
        (["100 sq ft", "80 sq ft"], ("sq ft",)),
        (["300 g", "1 kg", "2 kg"], ("kg", "g")),
        (["red", "blue", "5 kg"], ()),
        (["12ab3f", "45cd67", "99ef00"], ()),
        (["1e5", "2.5", "3"], ()),
        (["2021-03-04", "12:30"], ()),
    ],
)
def test_units_are_recognised(texts, units):
    counts = dict.fromkeys(texts, 1)
    found = units_of(counts)
    assert (found if len(found) <= 2 else ()) == units
    if len(units) == 1:
        guess = guess_number_format(counts)
        assert guess.format.unit == units[0]
        assert guess.strays == ()


def test_the_unit_is_in_the_report_and_other_units_count_as_missing(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("length,kind\n" + "".join(f"{k}.5 cm,{'ab'[k % 2]}\n" for k in range(30)))
    found = read(str(path))
    assert found.X[:3, 0].tolist() == [0.5, 1.5, 2.5]
    assert found.features.report[0].line() == "number; in cm"
    path.write_text("length\n3.5 cm\n2 in\n4\n")
    new = read(str(path), like=found.features)
    assert new.notes == ("column 'length': 1 value is not a number, such as '2 in', and counts as missing",)
    assert new.X[:, 0].tolist() == [3.5, 15.0, 4.0]


def mixed(month_first: bool) -> list[str]:
    days = [date(2021, 1, 3) + timedelta(days=11 * k) for k in range(60)]
    forms = ["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y" if month_first else "%d/%m/%Y", "%d %B %Y", "%b %d, %Y"]
    return [day.strftime(forms[k % 5]) for k, day in enumerate(days)]


@pytest.mark.parametrize("month_first", [True, False])
def test_a_column_of_five_formats_of_dates_is_read_as_dates(tmp_path, month_first):
    texts = mixed(month_first)
    guess = guess_date_format(dict.fromkeys(texts, 1))
    assert guess.format.order == ("any, month first" if month_first else "any, day first")
    days = [round(guess.format.parse(text) / 86400) for text in texts]
    assert [b - a for a, b in pairwise(days)] == [11] * 59
    with (tmp_path / "t.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("when", "kind"), *((text, "ab"[k % 2]) for k, text in enumerate(texts))])
    found = read(str(tmp_path / "t.csv"), ReadOptions(target="kind"))
    assert found.features.report[0].type == "date"
    assert any("mixes formats of dates" in note for note in found.notes)


def looked_at(tmp_path, name, values):
    """The type of a column of these values, and the notes."""
    path = tmp_path / "t.csv"
    path.write_text(f"{name},size,kind\n" + "".join(f"{v},{k % 7},{'ab'[k % 2]}\n" for k, v in enumerate(values)))
    found = read(str(path), ReadOptions(target="kind"))
    return found.features.report[0].type, " ".join(found.notes)


def ten_digits(count):
    return random.Random(7).sample(range(1_000_000_000, 2_400_000_000), count)


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("number", range(1_000_000_001, 1_000_000_041), "row number"),
        ("customer", ten_digits(200), "id"),
        ("customer_id", ten_digits(30), "id"),
        ("population", [1_400_000_000 + k * k for k in range(40)] * 2, "number"),
        ("created_at", ten_digits(200), "date"),
        ("eventTime", range(1_700_000_001, 1_700_000_041), "date"),
    ],
)
def test_only_a_column_named_as_a_time_counts_seconds_since_1970(tmp_path, name, values, kind):
    found, notes = looked_at(tmp_path, name, values)
    assert found == kind
    assert "are read as dates" in notes if kind == "date" else "are read as dates" not in notes
    assert ("read them as dates (--date population" in notes) == (name == "population")
    asked = read(str(tmp_path / "t.csv"), ReadOptions(target="kind", date=[name]))
    assert asked.features.report[0].type == "date"


@pytest.mark.parametrize("units", ["hs", "ns", "HS"])
def test_hours_and_seconds_are_units_and_no_signs(tmp_path, units):
    kind, notes = looked_at(tmp_path, "took", [f"{k % 9} {units[k % 2]}" for k in range(40)])
    assert kind == "category"
    assert "numbers in several units" in notes


@pytest.mark.parametrize("unit", ["K", "k", "M", "B"])
def test_a_single_letter_without_a_currency_is_a_unit_that_does_not_multiply(tmp_path, unit):
    kind, notes = looked_at(tmp_path, "x", [f"{290 + k % 9} {unit}" for k in range(40)] + ["300"])
    found = read(str(tmp_path / "t.csv"), ReadOptions(target="kind"))
    assert kind == "number"
    assert found.X[:, 0].max() == 300
    assert f"values without a unit, such as '300', are read in {unit}, too" in notes


def test_magnitudes_multiply_and_numbers_without_one_are_noted(tmp_path):
    kind, notes = looked_at(tmp_path, "x", ["35k", "1.2M", "0", "12k"] * 10)
    assert (kind, "not multiplied" in notes) == ("number", False)
    assert read(str(tmp_path / "t.csv"), ReadOptions(target="kind")).X[:3, 0].tolist() == [35e3, 1.2e6, 0]
    _, notes = looked_at(tmp_path, "x", ["$35k", "$1200", "$40k"] * 10)
    assert "column 'x': values without k, M, B, such as '$1200', are not multiplied" in notes
    assert read(str(tmp_path / "t.csv"), ReadOptions(target="kind")).X[:2, 0].tolist() == [35e3, 1200]


@pytest.mark.parametrize(
    "text",
    [
        "Sold 5/6/2020",
        "Died 5/6/2020",
        "Marathon 2019",
        "Decathlon 2004",
        "Output-2019",
        "Friend 5 May 2020",
        "jui 2019",
    ],
)
def test_other_words_are_neither_weekdays_nor_months(text):
    assert DateFormat("dmy").parse(text) is None


@pytest.mark.parametrize(
    "text",
    ["Thurs, 4.3.2021", "do 4/3/2021", "Donnerstag, 4. März 2021", "jeudi 4 mars 2021", "jue. 4/3/2021", "4 mrt 2021",
     "giovedì 4 marzo 2021", "quinta-feira, 4 de março de 2021", "Thu Mar  4 00:00:00 2021", "4-MAR-2021",
     "4. Mrz. 2021"],
)  # fmt: skip
def test_weekdays_and_months_of_seven_languages_are_read(text):
    assert DateFormat("dmy").parse(text) == (date(2021, 3, 4) - date(1970, 1, 1)).days * 86400


def test_true_counts_as_missing_in_a_column_of_numbers_as_the_note_says(tmp_path):
    values = [*range(5, 35), "True"]
    _, notes = looked_at(tmp_path, "x", [f"{value}.5" if value != "True" else value for value in values])
    assert "numeric but for 'True', which count as missing" in notes
    found = read(str(tmp_path / "t.csv"), ReadOptions(target="kind"))
    assert found.X[-1, :2].tolist() == [20.0, 1.0]
    (tmp_path / "new.csv").write_text("x,size\nTrue,1\n3,2\n")
    new = read(str(tmp_path / "new.csv"), like=found.features)
    assert new.X[:, 0].tolist() == [20.0, 3.0]
    assert any("not a number, such as 'True', and counts as missing" in note for note in new.notes)
