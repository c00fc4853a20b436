"""The result of grading a submission."""

from dataclasses import dataclass

from rosenblatt.teaching.grading.faults.faulty_loops import CauseName


@dataclass(frozen=True)
class Grade:
    """Whether a submission is correct; if not, its first wrong step (from 1), the likely cause and a sentence.

    Examples
    --------
    >>> from rosenblatt.teaching import grade
    >>> result = grade([[1, 0, 1]], [[0, 1]], [-1], dialect={"tie": "positive"})
    >>> result.correct, result.step, result.cause
    (False, 1, 'sign')
    """

    correct: bool
    step: int | None = None
    cause: CauseName | None = None
    message: str = "All steps are right."

    def __bool__(self) -> bool:
        return self.correct
