"""The typed fields of a plan are the keyword arguments of the core's `Plan`."""

import ast
from pathlib import Path
from typing import get_type_hints

import pytest

from rosenblatt import core
from rosenblatt.learning.fit import plan_of
from rosenblatt.learning.parameters import Parameters
from rosenblatt.learning.plan_fields import PlanFields

STUB = Path(core.__file__).parent / "_core.pyi"


def test_the_fields_are_the_keyword_arguments_of_the_cores_plan():
    tree = ast.parse(STUB.read_text(encoding="utf-8"))
    (plan,) = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Plan"]
    (init,) = [node for node in plan.body if isinstance(node, ast.FunctionDef) and node.name == "__init__"]
    arguments = {argument.arg for argument in init.args.kwonlyargs}
    assert set(get_type_hints(PlanFields)) | {"joint"} == arguments


@pytest.mark.parametrize("algorithm", ["Perceptron", "PocketPerceptron", "AveragedPerceptron", "VotedPerceptron"])
def test_a_plan_has_every_required_field_and_the_core_accepts_it(algorithm):
    plan = plan_of(Parameters.of(algorithm, {}))
    assert PlanFields.__required_keys__ <= set(plan)
    core.Plan(**plan)
