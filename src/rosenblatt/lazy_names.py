"""Public names of a package that are imported on first use.

Importing scikit-learn takes longer than most fits, and `rosenblatt --help` needs neither NumPy nor pyarrow.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The functions `__getattr__` and `__dir__` of a package. `homes` has the names of each module, with spaces.

    The names of the module "" are modules themselves.

    >>> get, names = lazy_names("rosenblatt.conventions", {"ties": "TIES is_mistake"})
    >>> get("TIES")
    ('mistake', 'positive', 'negative')
    >>> names()
    ['TIES', 'is_mistake']
    """
    home = {name: module for module, names in homes.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if not home[name]:
            return import_module(f"{package}.{name}")
        return getattr(import_module(f"{package}.{home[name]}"), name)

    return get, lambda: sorted(home)
