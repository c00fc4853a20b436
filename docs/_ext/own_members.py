"""A class's page lists what this package defines; what scikit-learn adds to every estimator is described there."""

from typing import Any

from sphinx.application import Sphinx


def skip_foreign(app: Sphinx, what: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    """Leaves out methods that come from another package, or that it makes (metadata routing)."""
    function = obj.fget if isinstance(obj, property) else getattr(obj, "__func__", obj)
    home = getattr(function, "__module__", None)
    return True if home is not None and not str(home).startswith("rosenblatt") else None


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("autodoc-skip-member", skip_foreign)
    return {"parallel_read_safe": True}
