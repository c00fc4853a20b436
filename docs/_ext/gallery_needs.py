"""Examples of parts that an installation may lack (an extra such as Dask) are left out of the gallery."""

from importlib import import_module

#: Example: the name it needs.
NEEDS = {
    "kernel_spirals": "rosenblatt.KernelPerceptron",
    "xor_three_ways": "rosenblatt.KernelPerceptron",
    "streaming": "rosenblatt.data.scan",
    "dask": "rosenblatt.distributed.DaskPerceptron",
}


def is_there(name: str) -> bool:
    package, _, rest = name.partition(".")
    *modules, last = rest.split(".")
    try:
        return hasattr(import_module(".".join([package, *modules])), last)
    except ImportError:
        return False


def left_out() -> str:
    """A pattern of the files to leave out."""
    missing = [rf"plot_{example}\.py" for example, name in NEEDS.items() if not is_there(name)]
    return "|".join([r"__init__\.py", *missing])
