"""Sphinx: the documentation, built offline by `make docs`."""

import os
import shutil
import sys
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "parts"))
# Tutorials run while pages are built, each in a process of its own, on small problems.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("TQDM_DISABLE", "1")
# The kernels have a profile of the build's own: none of the user's settings, no notes on transport.
PROFILE = HERE / "_build/ipython/profile_default"
PROFILE.mkdir(parents=True, exist_ok=True)
# A warning is shown by its sentence, without the kernel's temporary file.
SENTENCE = (
    "import warnings; warnings.formatwarning = lambda m, kind, *_: f'{kind.__name__}: {m}\\n'"
)
(PROFILE / "ipython_kernel_config.py").write_text(
    f"c.IPKernelApp.log_level = 'ERROR'\nc.InteractiveShellApp.exec_lines = [{SENTENCE!r}]\n"
)
os.environ["IPYTHONDIR"] = str(PROFILE.parent)

import page_parts  # noqa: E402
import pictures  # noqa: E402

project = "accuracy-curves"
author = "The accuracy-curves authors"
copyright = "2026, " + author
release = version = metadata.version("accuracy-curves")

extensions = [
    "matplotlib.sphinxext.plot_directive",
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_design",
    "mathml",
]
# Parts of pages, which the pages include.
exclude_patterns = ["_build", "generated", "api/_*.md", "jupyter_execute"]
templates_path = ["_templates"]
nitpicky = True
# A backtick in a docstring is a name, or a term: code, without a link.
default_role = "literal"

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_execution_timeout = 120
nb_merge_streams = True

autosummary_generate = [
    "api/_public_names.md",
    "api/_extrapolators.md",
    "api/_open_set_methods.md",
]
# Else the contents of a page cut long names.
toc_object_entries = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False

plot_formats = [("png", 120)]
plot_html_show_formats = False
plot_html_show_source_link = False
plot_include_source = False

html_theme = "pydata_sphinx_theme"
html_title = "accuracy-curves"
html_static_path = ["_static"]
html_css_files = ["docs.css"]
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"index": [], "gallery": [], "mathematics": []}
html_theme_options = {
    "show_prev_next": True,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 7,
    # The field would stand in a second line.
    "navbar_persistent": ["search-button"],
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
    "show_toc_level": 2,
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_math_renderer = "mathml"

# Pages of names that are gone would be read again.
shutil.rmtree(HERE / "api/generated", ignore_errors=True)
page_parts.write_all()
# The page of the first answer, to try.
EXAMPLE = HERE / "generated/example/example.html"
EXAMPLE.parent.mkdir(parents=True, exist_ok=True)
EXAMPLE.write_text(pictures.quick_start(), encoding="utf-8")
pictures.renew()
html_extra_path = [str(EXAMPLE.parent)]
