"""A part of a page between two marks, which a program writes."""

from pathlib import Path


def write_part(page: Path, begin: str, text: str, end: str) -> None:
    """Replaces what stands between the lines `begin` and `end`."""
    before, rest = page.read_text(encoding="utf-8").split(begin)
    _, after = rest.split(end)
    page.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")
