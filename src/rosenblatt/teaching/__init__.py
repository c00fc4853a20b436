"""Tools for lecturers: exercises with their keys, grading that names the first wrong step, animations for slides."""

from rosenblatt.teaching.animation.animate import animate
from rosenblatt.teaching.exercises.files import read_exercise, write_sheets
from rosenblatt.teaching.exercises.make import make
from rosenblatt.teaching.exercises.parts import Exercise
from rosenblatt.teaching.grading.grade import grade
from rosenblatt.teaching.grading.grade_result import Grade
from rosenblatt.teaching.grading.submissions.separate_process import ProcessLimits, grade_file

__all__ = [
    "Exercise",
    "Grade",
    "ProcessLimits",
    "animate",
    "grade",
    "grade_file",
    "make",
    "read_exercise",
    "write_sheets",
]
