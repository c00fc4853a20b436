"""Threshold units and networks in model files, with weights as exact integers and fractions."""

import re
from typing import Any

from rosenblatt.models.files.model_error import ModelFileError

# The numbers that `ThresholdUnit.to_dict` writes. Longer numbers, or exponents, could take unbounded time to parse.
_FRACTION = re.compile(r"-?\d{1,4000}(/\d{1,4000})?")


def is_circuit(value: Any) -> bool:
    """Whether the value is a unit or a network. Does not import their modules."""
    return type(value).__module__ in ("rosenblatt.boolean.unit", "rosenblatt.boolean.network")


def circuit_from(stored: Any) -> Any:
    """The unit or network from the output of `to_dict`. Raises `ModelFileError` for anything else."""
    from rosenblatt.boolean import Network, ThresholdUnit

    if not isinstance(stored, dict) or stored.get("kind") not in ("threshold unit", "network"):
        raise ModelFileError("the circuit is neither a threshold unit nor a network")
    is_network = stored["kind"] == "network"
    try:
        for unit in [*stored["hidden"], stored["output"]] if is_network else [stored]:
            for number in (*unit["weights"], unit["offset"]):
                if type(number) is not int and not (isinstance(number, str) and _FRACTION.fullmatch(number)):
                    raise ModelFileError(f"the circuit has {number!r:.40} where a whole number or a fraction must be")
            if not all(isinstance(name, str) for name in unit["variables"]):
                raise ModelFileError("the circuit has a variable without a name")
        return Network.from_dict(stored) if is_network else ThresholdUnit.from_dict(stored)
    except (KeyError, TypeError, AttributeError, ValueError, ZeroDivisionError) as error:
        if isinstance(error, ModelFileError):
            raise
        raise ModelFileError(f"the circuit is incomplete ({error})") from error
