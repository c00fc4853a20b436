"""A module's name means one thing: where two packages have one of the same name, they are about the same thing."""

from collections import defaultdict
from pathlib import Path

import rosenblatt

#: The same thing in several layers: an algorithm as textbook and estimator, a command and the function that it calls.
SAME_MEANING = {"animate", "averaged", "batch", "perceptron", "pocket", "trace"}


def test_no_module_name_is_used_twice_in_different_meanings() -> None:
    root = Path(rosenblatt.__file__).parent
    homes = defaultdict(list)
    for path in root.rglob("*.py"):
        if path.stem != "__init__":
            homes[path.stem].append(path.relative_to(root).as_posix())
    twice = {name: places for name, places in homes.items() if len(places) > 1 and name not in SAME_MEANING}
    assert not twice
