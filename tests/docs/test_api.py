"""The API reference has every public name, and every one of them has an example."""

import importlib
import inspect
import pkgutil
import re

import pytest

import rosenblatt
from tests.docs.pages import DOCS

#: Parts that are not imported for their names: the command line is documented by its commands, the engine by its code.
WITHOUT_NAMES = ("rosenblatt.cli", "rosenblatt.core", "rosenblatt.estimators", "rosenblatt.learning")


def packages():
    found = [info.name for info in pkgutil.iter_modules(rosenblatt.__path__, "rosenblatt.") if info.ispkg]
    return ["rosenblatt", *(name for name in found if name not in WITHOUT_NAMES)]


def public_names():
    modules = [importlib.import_module(package) for package in packages()]
    return [
        (module.__name__, name)
        for module in modules
        for name in module.__all__
        if not inspect.ismodule(getattr(module, name))
    ]


def documented():
    """Full names in docs/api/index.rst, as Sphinx resolves them."""
    names, module = set(), ""
    for line in (DOCS / "api" / "index.rst").read_text(encoding="utf-8").splitlines():
        if found := re.match(r"\.\. currentmodule:: (\S+)", line):
            module = found[1]
        elif found := re.match(r"(?:\.\. py:data:: | {3,13})([A-Za-z_][\w.]*)$", line):
            names.add(f"{module}.{found[1]}")
    return names


@pytest.mark.parametrize(("package", "name"), public_names())
def test_every_public_name_is_in_the_reference(package, name):
    known = documented()
    # What is also a name of rosenblatt itself is documented there.
    assert {f"{package}.{name}", f"rosenblatt.{name}"} & known, "add it to docs/api/index.rst"


@pytest.mark.parametrize(("package", "name"), public_names())
def test_every_public_function_and_class_has_an_example(package, name):
    thing = getattr(importlib.import_module(package), name)
    if inspect.isclass(thing) or inspect.isroutine(thing):
        assert ">>>" in (inspect.getdoc(thing) or "")


def test_every_name_of_the_reference_exists():
    for name in documented():
        module, _, attribute = name.rpartition(".")
        assert hasattr(importlib.import_module(module), attribute), name


@pytest.mark.parametrize("package", packages())
def test_completion_lists_the_public_names(package):
    module = importlib.import_module(package)
    assert set(module.__all__) <= set(dir(module))
    assert module.__doc__
