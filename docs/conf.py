"""Settings of the docs site; `make docs` builds it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import laguna
from docs.generate import notebooks
from docs.generate.source import field_comments

project = "Laguna"
author = "The Laguna developers"
copyright = f"2026, {author}"
version = release = laguna.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["generate", "__pycache__"]
myst_heading_anchors = 3
default_role = "py:obj"  # a name in backticks within a docstring leads to what it names

autodoc_member_order = "bysource"
# The site can also be built where the extras of `laguna.envs` are not installed.
autodoc_mock_imports = [name for name in ("gymnasium", "pettingzoo") if find_spec(name) is None]
# Most classes are made by functions; the pages show the constructor of those that a caller makes.
autodoc_default_options = {"members": True, "undoc-members": True, "exclude-members": "__init__"}
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


def public() -> Iterator[tuple[str, Any]]:
    """Every public thing with its name in the reference."""
    for module in map(import_module, PUBLIC):
        own = [name for name, thing in vars(module).items() if _home(thing) == module.__name__]
        for name in getattr(module, "__all__", own):
            thing = getattr(module, name)
            if _home(thing).startswith("laguna."):
                yield f"{module.__name__}.{name}", thing


def _home(thing: Any) -> str:
    return str(getattr(thing, "__module__", ""))


def describe_fields(app: Any) -> None:
    """The comment beside a field is its description, as if it began with `#:`."""
    from sphinx.pycode import ModuleAnalyzer

    for _, thing in public():
        if isinstance(thing, type):
            analyzer = ModuleAnalyzer.for_module(thing.__module__)
            analyzer.analyze()
            for field, comment in field_comments(thing).items():
                text = comment[:1].upper() + comment[1:] + "."
                analyzer.attr_docs.setdefault((thing.__qualname__, field), [text, ""])


def find_public(app: Any, env: Any, node: Any, text: Any) -> Any:
    """A reference to where a thing is defined leads to its public name."""
    target = node.get("reftarget", "")
    names = {f"{thing.__module__}.{getattr(thing, '__qualname__', '')}": name for name, thing in public()}
    if node.get("refdomain") != "py" or target not in names:
        return None
    domain, where = env.get_domain("py"), node.get("refdoc", env.docname)
    return domain.resolve_xref(env, where, app.builder, "obj", names[target], node, text)


def show_notebooks(app: Any, docname: str, source: list[str]) -> None:
    """In place of a link, the notebook itself."""
    folder, _, name = docname.rpartition("/")
    if folder == "notebooks" and name != "index":
        source[0] = notebooks.page(name)
        app.env.note_dependency(str(notebooks.FOLDER / f"{name}.ipynb"))


def close_examples(app: Any, docname: str, source: list[str]) -> None:
    """The empty line by which doctest knows where an output ends is not shown."""
    source[0] = re.sub(r"(```python\n(?:(?!```).*\n)*?)\n```\n", r"\1```\n", source[0])


def setup(app: Any) -> None:
    app.connect("source-read", show_notebooks)
    app.connect("source-read", close_examples)
    app.connect("missing-reference", find_public)
    app.connect("builder-inited", describe_fields)
