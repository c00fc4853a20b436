"""Shapes and colours of two classes, light and dark: those of the lab's page and of L4's example (● +1, ▲ −1)."""

from dataclasses import dataclass

#: Matplotlib's markers of the negative and the positive class.
MARKERS = ("^", "o")


@dataclass(frozen=True)
class Theme:
    """The colours of a picture; a test compares them with those of the page."""

    paper: str
    grid: str
    axis: str
    ink: str
    soft: str
    negative: str
    positive: str
    region: float  # opacity of a half-plane
    ghost: str  # the previous boundary
    change: str  # a mistake

    @property
    def classes(self) -> tuple[str, str]:
        """The colours of the negative and the positive class."""
        return self.negative, self.positive


LIGHT = Theme(
    paper="#fbfaf7", grid="#e9e6de", axis="#c9c4b8", ink="#24211c", soft="#6d675c", negative="#c8500a",
    positive="#0a6aa8", region=0.13, ghost="#8d877b", change="#b00d57",
)  # fmt: skip
DARK = Theme(
    paper="#15171a", grid="#24272c", axis="#444a52", ink="#eceae4", soft="#a5a198", negative="#ff9457",
    positive="#5ab4f0", region=0.17, ghost="#7d7a73", change="#ff7fb0",
)  # fmt: skip
THEMES = {"light": LIGHT, "dark": DARK}
