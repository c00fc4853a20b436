"""A lecturer's own dialect: from keywords, or from a small TOML file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args

from rosenblatt.conventions import dialects
from rosenblatt.conventions.dialects import Convention
from rosenblatt.conventions.ties import TIES
from rosenblatt.conventions.value_kinds import COUNT, FLAG, FRACTION, POSITIVE, Kind, check_kind, one_of

#: The lectures' dialects by name.
NAMES = ("L0", "L1", "L1_offset", "L2", "L3", "L4")
Order = Literal["shuffle", "cyclic", "misclassified"]
Init = Literal["zeros", "random"]

_DEFAULTS: dict[str, Any] = {
    "fit_intercept": True,
    "eta0": 1.0,
    "tie": "mistake",
    "order": "cyclic",
    "init": "zeros",
}


#: The allowed values of each key, as those of the parameter with this name.
KEYS: dict[str, Kind] = {
    "fit_intercept": FLAG,
    "eta0": POSITIVE,
    "tie": one_of(*TIES),
    "error_tie": one_of(*TIES),
    "order": one_of(*get_args(Order)),
    "init": one_of(*get_args(Init)),
    "init_scale": POSITIVE,
    "max_error": FRACTION,
    "max_iter": COUNT,
    "max_steps": COUNT,
    "max_updates": COUNT,
    "patience": COUNT,
}


def define(name: str, *, sources: Mapping[str, str] | None = None, **choices: Any) -> Convention:
    """A dialect of your own, used like the lectures': `Perceptron(**define("CS101", tie="positive"))`.

    The defaults are: an offset, step 1, a score of zero always a mistake, examples in file order, start at zero.
    `sources` gives, for each key, the place where your text makes the choice.

    Examples
    --------
    >>> from rosenblatt import conventions
    >>> conventions.define("CS101", tie="positive", max_iter=10, sources={"tie": "slide 12"})
    Convention CS101
      fit_intercept=True: not given
      eta0=1.0: not given
      tie='positive': slide 12
      order='cyclic': not given
      init='zeros': not given
      max_iter=10: as defined
    """
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"a dialect needs a name, such as 'CS101'; got {name!r}.")
    given_sources = dict(sources or {})
    for key, value in choices.items():
        if key not in KEYS:
            raise ValueError(f"a dialect has no {key!r}; it has {', '.join(KEYS)}.")
        check_kind(name, key, value, KEYS[key])
    for key in given_sources:
        if key not in choices:
            raise ValueError(f"sources has {key!r}, which the dialect {name} does not choose. Give {key} too.")
    given = {key: (value, given_sources.get(key, "as defined")) for key, value in choices.items()}
    made = {key: given.pop(key, (value, "not given")) for key, value in _DEFAULTS.items()}
    return Convention(name, **made, **given)


def load(path: str | Path) -> Convention:
    r"""Reads a dialect from a TOML file: its `name`, one line per choice, and optionally a table `[sources]`.

    Examples
    --------
    >>> from pathlib import Path
    >>> from rosenblatt import conventions
    >>> written = Path("cs101.toml").write_text('name = "CS101"\ntie = "positive"\neta0 = 0.5')
    >>> conventions.describe(conventions.load("cs101.toml"))
    'zero counts as +1, start at 0, in turn, step 0.5'
    >>> Path("cs101.toml").unlink()
    """
    import tomllib  # not above: the command line imports this module at every start

    try:
        document = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f'{path} is not a TOML file: {error}. A line of it is tie = "positive".') from error
    name = document.pop("name", Path(path).stem)
    sources = document.pop("sources", {})
    if not isinstance(sources, dict) or not all(isinstance(text, str) for text in sources.values()):
        raise ValueError(f"{path}: [sources] must have one line of text per key.")
    try:
        return define(name, sources=sources, **document)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def find(name: str) -> Convention:
    """The dialect of a lecture by its name, or of a TOML file by its path.

    Examples
    --------
    >>> from rosenblatt import conventions
    >>> conventions.find("L3").name
    'L3'
    """
    if name in NAMES:
        found: Convention = getattr(dialects, name)
        return found
    if not name.lower().endswith(".toml"):
        raise ValueError(f"there is no dialect {name!r}; there are: {', '.join(NAMES)}, or a file of your own, *.toml.")
    return load(name)
