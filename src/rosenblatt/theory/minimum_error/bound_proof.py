"""Checks a proof that no `most` elements hit all of given sets, without any search or linear program.

A proof is a tree in plain types, ready for JSON. On the way down some elements are *chosen* (the hitting set has them)
and some are *excluded* (it does not have them). Its nodes:

* `{"packing": [[set, part], ...], "unit": u}`: the sets are not hit by a chosen element, and the parts of the sets that
  contain an element sum to at most u for each element that is not excluded. So at least Σ part / u more are needed.
* `{"branch": set, "cases": [[element, proof], ...]}`: the set is not hit by a chosen element, and the cases are all its
  elements that are not excluded. In each case the element is chosen, and those of earlier cases are excluded.
* `{"empty": set}`: the set is not hit by a chosen element, and all its elements are excluded.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

Proof = dict[str, Any]


def proves_bound(proof: Proof, sets: Sequence[Iterable[int]], most: int) -> bool:
    """Whether the proof shows that every set which meets all `sets` has more than `most` elements.

    >>> proves_bound({"packing": [[0, 1], [1, 1]], "unit": 1}, [{1, 2}, {3}], most=1)
    True
    >>> proves_bound({"packing": [[0, 1], [1, 1]], "unit": 1}, [{1, 2}, {2, 3}], most=1)
    False
    """
    table = [frozenset(s) for s in sets]
    pending = [(proof, frozenset[int](), frozenset[int]())]
    while pending:
        node, chosen, excluded = pending.pop()
        left = most - len(chosen)
        if left < 0:
            continue
        if "branch" in node:
            if node["branch"] < 0 or chosen & table[node["branch"]]:
                return False
            cases = [element for element, _ in node["cases"]]
            if len(set(cases)) != len(cases) or set(cases) != table[node["branch"]] - excluded:
                return False
            for element, case in node["cases"]:
                pending.append((case, chosen | {element}, excluded))
                excluded |= {element}
        elif "empty" in node:
            if node["empty"] < 0 or chosen & table[node["empty"]] or not table[node["empty"]] <= excluded:
                return False
        elif not _is_packing(node, table, chosen, excluded, left):
            return False
    return True


def _is_packing(
    node: Proof, table: list[frozenset[int]], chosen: frozenset[int], excluded: frozenset[int], left: int
) -> bool:
    loads: Counter[int] = Counter()
    total = 0
    for k, part in node["packing"]:
        if type(part) is not int or part < 0 or k < 0 or chosen & table[k]:
            return False
        total += part
        for element in table[k] - excluded:
            loads[element] += part
    unit = node["unit"]
    return type(unit) is int and unit > 0 and max(loads.values(), default=0) <= unit and total > left * unit


def used_sets(proof: Proof) -> list[int]:
    """The sets that the proof refers to, in order."""
    found: set[int] = set()
    pending = [proof]
    while pending:
        node = pending.pop()
        if "branch" in node:
            found.add(node["branch"])
            pending += [case for _, case in node["cases"]]
        elif "empty" in node:
            found.add(node["empty"])
        else:
            found.update(k for k, _ in node["packing"])
    return sorted(found)


def renumbered(proof: Proof, place: dict[int, int]) -> Proof:
    """The proof with other numbers for its sets."""
    if "branch" in proof:
        cases = [[element, renumbered(case, place)] for element, case in proof["cases"]]
        return {"branch": place[proof["branch"]], "cases": cases}
    if "empty" in proof:
        return {"empty": place[proof["empty"]]}
    return {"packing": [[place[k], part] for k, part in proof["packing"]], "unit": proof["unit"]}
