"""Units of numbers and mixed formats of dates."""

import csv
from datetime import date, timedelta
from itertools import pairwise

import pytest

from rosenblatt.data import ReadOptions, read
from rosenblatt.data.columns.dates import guess_date_format
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
