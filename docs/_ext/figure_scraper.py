"""Pictures that `rosenblatt.plot` makes for the gallery: outside pyplot, where the usual scraper does not look."""

import weakref
from typing import Any

from matplotlib.figure import Figure
from sphinx_gallery.scrapers import figure_rst

_shown: "weakref.WeakSet[Figure]" = weakref.WeakSet()


def figures(block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """Saves each figure that a block has left in a variable, once; those of pyplot have a number and are left alone."""
    paths = []
    for value in list(block_vars["example_globals"].values()):
        if isinstance(value, Figure) and not hasattr(value, "number") and value not in _shown:
            path = next(block_vars["image_path_iterator"])
            value.savefig(path, dpi=110)
            paths.append(path)
            _shown.add(value)
    return figure_rst(paths, gallery_conf["src_dir"]) if paths else ""
