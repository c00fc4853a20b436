"""Do finite maximum likelihood estimates exist? For generalised linear models, with the proof."""

from rosenblatt.theory.existence.existence_function import existence
from rosenblatt.theory.existence.result import Existence
from rosenblatt.theory.existence.verify_existence import verify_existence

__all__ = ["Existence", "existence", "verify_existence"]
