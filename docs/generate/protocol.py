"""The page about the websocket's messages, from their docstrings, fields and comments."""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Iterator
from types import UnionType
from typing import Annotated, Any, Union, get_origin

import msgspec

from docs.generate.markdown import DO_NOT_EDIT, list_of, table
from docs.generate.source import constant_comments, field_comments
from laguna import messages
from laguna.errors import either
from laguna.games import contract
from laguna.table import entries

HEAD = f"""\
{DO_NOT_EDIT}

# The websocket protocol

This page is written from `laguna/messages.py`. It describes version {messages.PROTOCOL} of the protocol,
which the server names in its first frame. `laguna.client` speaks it for Python programs
([the reference](reference/client.md)); the server's HTTP interface describes itself as OpenAPI at
`/api/openapi.json`.

Open a websocket at `/api/socket`, with the cookie that the server gave a browser or with
`Authorization: Bearer TOKEN`; `POST /api/tokens` gives a program its token. A client's frame has at most
{messages.MAX_FRAME:,} bytes.
"""
EXAMPLE = """\
## An example

A program plays at a table. It chooses the ids and sends the version of the table that it saw:

```python
>>> from laguna import messages
>>> print(messages.encode(messages.Follow(1, "abcdefghijklmnopqrstuv")).decode())
{"do":"follow","id":1,"table":"abcdefghijklmnopqrstuv","seen":0,"seat":null}
>>> print(messages.encode(messages.Act(2, "abcdefghijklmnopqrstuv", 5, "7Bc1")).decode())
{"do":"act","id":2,"table":"abcdefghijklmnopqrstuv","version":5,"action":"7Bc1","seat":null,"if_goes_on":false,"head":null}

```

The server answers the first with a `table` and a `done`, the second with a `changed` and a `done`:

```python
>>> messages.decode_message(b'{"is":"done","id":2,"version":6}')
Done(id=2, version=6, table=None)

```
"""
KINDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "null": "null",
}
LIMITS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "minLength": "length at least {}",
    "maxLength": "length at most {}",
    "minItems": "length at least {}",
    "maxItems": "length at most {}",
    "pattern": "like `{}`",
}


def protocol() -> str:
    """The whole page."""
    sent, received = _members(messages.ClientFrame), _members(messages.ServerFrame)
    classes = list(_reachable([*sent, *received]))
    parts_of = sorted(set(classes) - {*sent, *received}, key=lambda cls: cls.__name__)
    _, order = _text(messages).split("\n\n", 1)
    parts = [HEAD, order, EXAMPLE]
    parts += ["## From the client", "Each of these is a request. A field that may be null may be left out."]
    parts += [_frame(cls, "do") for cls in sent]
    parts += ["## From the server", "All fields are always there."]
    parts += [_frame(cls, "is") for cls in received]
    parts += ["## Parts of these", "What the frames above are made of."]
    parts += [f"### {cls.__name__}\n\n{_about(cls)}" for cls in parts_of]
    parts += ["## Named types", _named_types(classes)]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _members(union: Any) -> list[type[msgspec.Struct]]:
    assert isinstance(union, UnionType)
    return list(union.__args__)


def _reachable(classes: list[type[msgspec.Struct]]) -> Iterator[type[msgspec.Struct]]:
    """The structs that these are made of, themselves included."""
    seen: set[type[msgspec.Struct]] = set()

    def walk(kind: Any) -> Iterator[type[msgspec.Struct]]:
        if isinstance(kind, msgspec.inspect.Metadata) and "$ref" in (kind.extra_json_schema or {}):
            kind = msgspec.inspect.type_info(getattr(contract, _name(kind.extra_json_schema or {})))
        if isinstance(kind, msgspec.inspect.StructType):
            if kind.cls in seen:
                return
            seen.add(kind.cls)
            yield kind.cls
        for name in getattr(kind, "__struct_fields__", ()):
            value = getattr(kind, name)
            for each in value if isinstance(value, tuple) else [value]:
                if isinstance(each, msgspec.inspect.Type | msgspec.inspect.Field):
                    yield from walk(each)

    for cls in classes:
        yield from walk(msgspec.inspect.type_info(cls))


def _name(schema: dict[str, Any]) -> str:
    """The name of the struct that a schema refers to."""
    return str(schema["$ref"]).rpartition("/")[2]


def _frame(cls: type[msgspec.Struct], tag_field: str) -> str:
    tag = cls.__struct_config__.tag
    return f"### {tag}\n\n`{json.dumps({tag_field: tag})[:-1]}, …}}`\n\n{_about(cls)}"


def _about(cls: type[msgspec.Struct]) -> str:
    """A struct: its docstring and its fields, without the tag that the heading shows."""
    comments, annotations = field_comments(cls), _annotations(cls)
    given = issubclass(cls, messages.Request)  # may leave out what has a default
    schema = _schema(cls)
    rows = [
        (
            f"`{name}`",
            _named(cls, annotations.get(name, "")) or _type(field),
            " ".join(
                [_in_json(comments.get(name, "")), _default(name, field, schema) if given else ""]
            ).strip(),
        )
        for name, field in schema["properties"].items()
        if name != cls.__struct_config__.tag_field
    ]
    fields = table(("field", "type", "meaning"), rows) if rows else "It has no fields."
    return f"{_text(cls)}\n\n{fields}"


def _schema(kind: Any) -> dict[str, Any]:
    (schema,), components = msgspec.json.schema_components([kind], ref_template="{name}")
    found: dict[str, Any] = components[_name(schema)] if "$ref" in schema else schema
    return found


def _annotations(cls: type[Any]) -> dict[str, str]:
    """The types of the fields as they are written."""
    return {
        name: text for base in reversed(cls.__mro__) for name, text in inspect.get_annotations(base).items()
    }


def _aliases(cls: type[Any]) -> dict[str, Any]:
    """The types with constraints, or with a choice of types, that have a name in the module of the class."""
    found = vars(sys.modules[cls.__module__])
    aliases = {
        name: kind for name, kind in found.items() if get_origin(kind) in (Annotated, Union, UnionType)
    }
    return {name: kind for name, kind in aliases.items() if not _only_refers(kind)}


def _only_refers(kind: Any) -> bool:
    """Frames, and types that are just a struct, have sections of their own."""
    schema = msgspec.json.schema_components([kind], ref_template="{name}")[0][0]
    return "$ref" in schema or all("$ref" in each for each in schema.get("anyOf", [{}]))


def _named(cls: type[Any], annotation: str) -> str:
    """A type that is one of those names, or that or null; else nothing."""
    name, _, other = annotation.partition(" | ")
    if name not in _aliases(cls) or other not in ("", "None"):
        return ""
    return f"[{name}](#named-types)" + (" or null" if other else "")


def _named_types(classes: list[type[msgspec.Struct]]) -> str:
    """All such names that these classes use."""
    used: dict[str, Any] = {}
    for cls in classes:
        written = " ".join(_annotations(cls).values())
        used |= {name: kind for name, kind in _aliases(cls).items() if re.search(rf"\b{name}\b", written)}
    comments = constant_comments(entries) | constant_comments(messages)
    rows = [
        (f"`{name}`", _type(_schema(kind)), comments.get(name, "")) for name, kind in sorted(used.items())
    ]
    return table(("name", "type", "meaning"), rows)


def _text(thing: Any) -> str:
    return _in_json(inspect.cleandoc(thing.__doc__ or ""))


def _in_json(text: str) -> str:
    """What Python calls None is null on the wire."""
    return re.sub(r"\bNone\b", "null", text)


def _default(name: str, field: dict[str, Any], schema: dict[str, Any]) -> str:
    if name in schema["required"] or field["default"] is None:
        return ""
    return f"(`{json.dumps(field['default'])}` if left out)"


def _type(schema: dict[str, Any]) -> str:
    """A schema in words."""
    if "$ref" in schema:
        return f"[{_name(schema)}](#{_name(schema).lower()})"
    if "enum" in schema:
        return either(f"`{json.dumps(value)}`" for value in schema["enum"])
    if "anyOf" in schema:
        return either(dict.fromkeys(_type(each) for each in schema["anyOf"]))
    kind = schema.get("type")
    limits = [text.format(_number(schema[key])) for key, text in LIMITS.items() if key in schema]
    if kind == "array":
        word = list_of(_type(schema["items"]) if schema.get("items") else "")
    elif kind == "object":
        values = schema.get("additionalProperties")
        word = f"object of ({_type(values)})" if isinstance(values, dict) and values else "object"
    else:
        word = KINDS[kind] if kind else "any value"
    return word + (f" ({', '.join(limits)})" if limits else "")


def _number(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int | float) else str(value)
