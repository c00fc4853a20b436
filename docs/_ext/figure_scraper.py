"""Collects figures of `rosenblatt.plot` for the gallery; the standard scraper finds only pyplot figures."""

import weakref
from typing import Any

from matplotlib.figure import Figure
from sphinx_gallery.scrapers import figure_rst

_shown: "weakref.WeakSet[Figure]" = weakref.WeakSet()


def figures(block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """Saves each figure that a block left in a variable, once. Figures of pyplot (which have a number) are skipped."""
    paths = []
    for value in list(block_vars["example_globals"].values()):
        if isinstance(value, Figure) and not hasattr(value, "number") and value not in _shown:
            path = next(block_vars["image_path_iterator"])
            value.savefig(path, dpi=110)
            paths.append(path)
            _shown.add(value)
    return figure_rst(paths, gallery_conf["src_dir"]) if paths else ""
