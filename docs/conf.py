"""Settings of the docs site; `make docs` builds it."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import laguna  # noqa: E402
from docs.generate.source import field_comments  # noqa: E402

project = "Laguna"
author = "The Laguna developers"
copyright = f"2026, {author}"
version = release = laguna.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["generate", "__pycache__"]
myst_heading_anchors = 3
default_role = "py:obj"  # a name in backticks within a docstring leads to what it names

autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": True}
autodoc_class_signature = "separated"
autodoc_preserve_defaults = True
add_module_names = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80

html_theme = "furo"
html_title = f"Laguna {release}"
html_static_path = ["static"]
html_css_files = ["laguna.css"]
html_favicon = "../web/public/icon.svg"
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0f5c6e", "color-brand-content": "#0f5c6e"},
    "dark_css_variables": {"color-brand-primary": "#58c4d6", "color-brand-content": "#58c4d6"},
}

PUBLIC = ("laguna", "laguna.bots", "laguna.client", "laguna.lab.tournament", "laguna.lab.analysis")


def public_names() -> dict[str, str]:
    """Where a public thing is defined, and the name that the reference has it by."""
    names = {}
    for module in map(import_module, PUBLIC):
        for name in getattr(module, "__all__", ()):
            thing = getattr(module, name)
            if defined := getattr(thing, "__module__", None):
                names[f"{defined}.{getattr(thing, '__qualname__', name)}"] = f"{module.__name__}.{name}"
    return names


def find_public(app: Any, env: Any, node: Any, text: Any) -> Any:
    """A reference to where a thing is defined leads to its public name."""
    target = node.get("reftarget", "")
    if node.get("refdomain") != "py" or target not in (names := public_names()):
        return None
    domain, where = env.get_domain("py"), node.get("refdoc", env.docname)
    return domain.resolve_xref(env, where, app.builder, "obj", names[target], node, text)


def describe_field(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """The comment beside a field is its description."""
    owner, _, field = name.rpartition(".")
    module, _, cls = owner.rpartition(".")
    if what == "attribute" and module and not any(lines):
        found = getattr(import_module(module), cls, None) if module in PUBLIC else None
        if isinstance(found, type) and (comment := field_comments(found).get(field)):
            lines[:] = [comment[:1].upper() + comment[1:] + "."]


def close_examples(app: Any, docname: str, source: list[str]) -> None:
    """The empty line by which doctest knows where an output ends is not shown."""
    source[0] = re.sub(r"(```python\n(?:.*\n)*?)\n```\n", r"\1```\n", source[0])


def setup(app: Any) -> None:
    app.connect("source-read", close_examples)
    app.connect("missing-reference", find_public)
    app.connect("autodoc-process-docstring", describe_field)
