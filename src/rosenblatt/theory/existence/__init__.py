"""Do finite maximum likelihood estimates exist? For generalised linear models, with the proof."""

from typing import TYPE_CHECKING

from rosenblatt.lazy_names import lazy_names
from rosenblatt.theory.existence.existence_function import existence
from rosenblatt.theory.existence.verify_existence import verify_existence

if TYPE_CHECKING:
    from rosenblatt.theory.existence.result import Existence

__all__ = ["Existence", "existence", "verify_existence"]

__getattr__, __dir__ = lazy_names(
    __name__, {"result": "Existence", "existence_function": "existence", "verify_existence": "verify_existence"}
)
