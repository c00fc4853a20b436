"""The documentation: `tools/docs` builds it, and treats every warning as an error."""

import sys
from importlib.metadata import version as version_of
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

from gallery_needs import left_out

project = "rosenblatt"
author = "The rosenblatt developers"
copyright = "2026, the rosenblatt developers"
release = version = version_of("rosenblatt")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx.ext.viewcode",
    "numpydoc",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "own_members",
    "pages_if_present",
    "shown_by",
]
templates_path = ["_templates"]
exclude_patterns = ["_build", "gallery"]

# Markdown is the pages' language; headings are link targets, as on the sites where the files are read unbuilt.
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3

# `name` in a docstring is a link where there is such a name, and code otherwise.
default_role = "py:obj"
autosummary_generate = True
autodoc_member_order = "bysource"
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "examples",
    "filename_pattern": r"plot_",
    "ignore_pattern": left_out(),
    "within_subsection_order": "gallery_order.InReadingOrder",
    "image_scrapers": ("matplotlib", "figure_scraper.figures"),
    "capture_repr": ("_repr_html_", "__repr__"),
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "remove_config_comments": True,
    "doc_module": ("rosenblatt",),
    "backreferences_dir": None,
    "abort_on_example_error": True,
    "default_thumb_file": str(HERE / "images" / "dialects.png"),
}

html_theme = "pydata_sphinx_theme"
html_title = f"rosenblatt {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_theme_options = {
    "show_nav_level": 1,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 6,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
}
html_show_sourcelink = False
html_copy_source = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
