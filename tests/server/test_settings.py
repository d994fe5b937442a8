"""Where settings come from, and what is wrong with them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from laguna.errors import BadOption
from laguna.server.network.rate_limits import DEFAULTS
from laguna.server.settings import FIELDS, OTHERS, ServerSettings, load, without_password


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "laguna.toml"
    path.write_text(
        'port = 1001\nhost = "::1"\nmetrics = false\norigins = ["https://b.example"]\n[limits]\nsay = "5/m"\n'
    )
    return path


def test_flags_before_environment_before_file_before_defaults(file: Path) -> None:
    settings = load({"port": 3003}, {"LAGUNA_PORT": "2002", "LAGUNA_HOST": "0.0.0.0", "HOME": "/"}, file)
    assert (settings.port, settings.host, settings.metrics) == (3003, "0.0.0.0", False)
    assert settings.limits == {"say": "5/m"}
    assert settings.log_format == "auto"


def test_the_environment_may_name_the_file(file: Path) -> None:
    assert load(environ={"LAGUNA_CONFIG": str(file)}).port == 1001


def test_lists_and_tables_are_written_with_commas_in_the_environment() -> None:
    environ = {
        "LAGUNA_ORIGINS": "https://a.example, http://b.example:8080",
        "LAGUNA_LIMITS": "frame=off,say=10/m 20/m",
        "LAGUNA_TRUSTED_PROXIES": "10.0.0.0/8,127.0.0.1",
        "LAGUNA_METRICS": "false",
    }
    settings = load(environ=environ)
    assert settings.origins == ("https://a.example", "http://b.example:8080")
    assert settings.limits == {"frame": "off", "say": "10/m 20/m"}
    assert settings.trusted_proxies == ("10.0.0.0/8", "127.0.0.1")
    assert settings.metrics is False


@pytest.mark.parametrize(
    ("flags", "found"),
    [
        ({"prot": 1}, "There is no setting 'prot' (as a flag)"),
        ({"port": 70_000}, "The setting port (as a flag) is wrong: Expected `int` <= 65535"),
        ({"port": "many"}, "The setting port"),
        ({"port": "9" * 5000}, "Integer value out of range"),
        ({"port": "\udcff"}, "is not UTF-8 text"),
        ({"public_url": "http://\udcff"}, "is not UTF-8 text"),
        ({"limits": "say=\udcff"}, "is not UTF-8 text"),
        ({"log_format": "xml"}, "log_format"),
        ({"database": "mysql://x"}, "it must begin with sqlite://… or postgresql://…"),
        ({"bus": "redis://x"}, "bus"),
        ({"public_url": "https://a.example/laguna"}, "scheme://host"),
        ({"origins": "a.example"}, "origins"),
        ({"trusted_proxies": "10.0.0.0/40"}, "is neither an address nor a network"),
        ({"limits": "frame=often"}, "A rate is written as 300/10s"),
        ({"limits": "frame=1/0s"}, "A rate is written as 300/10s"),
        ({"limits": "frame=1/s 1/s 1/s"}, "two rates"),
        ({"limits": "talk=1/s"}, "There is no limit 'talk'"),
        ({"limits": "all=1/s"}, "There is no limit 'all'"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(flags: dict[str, Any], found: str) -> None:
    with pytest.raises(BadOption) as refused:
        load(flags, {})
    assert found in refused.value.sentence


def test_a_mistyped_variable_is_refused_but_not_what_a_platform_adds() -> None:
    with pytest.raises(BadOption, match="LAGUNA_DATABSE"):
        load(environ={"LAGUNA_DATABSE": "postgresql://x/y"})
    load(
        environ={
            "LAGUNA_SERVICE_HOST": "10.0.0.1",
            "LAGUNA_PORT_80_TCP": "tcp://10.0.0.1:80",
            "LAGUNA_JIT": "1",
        }
    )


@pytest.mark.parametrize("text", ["port = ", "\xff"])
def test_a_file_that_is_missing_or_not_toml(tmp_path: Path, text: str) -> None:
    path = tmp_path / "laguna.toml"
    with pytest.raises(BadOption, match="cannot be read"):
        load({}, {}, path)
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(BadOption, match="is not a valid TOML file"):
        load({}, {}, path)


@pytest.mark.parametrize("text", ["port = " + "9" * 5000, "port = " + "[" * 100_000])
def test_a_file_that_is_too_large_to_parse(tmp_path: Path, text: str) -> None:
    path = tmp_path / "laguna.toml"
    path.write_text(text)
    with pytest.raises(BadOption, match="too many digits, or it is nested too deeply"):
        load({}, {}, path)


def test_the_embedded_database_lies_in_the_data_folder(tmp_path: Path) -> None:
    settings = load({"data": str(tmp_path)}, {})
    assert settings.database_url == f"sqlite:///{tmp_path}/laguna.sqlite"
    assert settings.backups == tmp_path / "backups"


def test_the_description_contains_no_secret() -> None:
    settings = ServerSettings(
        database="postgresql://laguna:pearl@db/laguna", bus="nats://user:coral@bus", metrics_token="amber"
    )
    found = str(settings.describe())
    assert "db/laguna" in found and "***@bus" in found
    assert not any(secret in found for secret in ("pearl", "coral", "amber"))
    assert without_password("sqlite:////a/b@c") == "sqlite:////a/b@c"


def test_every_setting_and_every_limit_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")
    for name in (*FIELDS, *DEFAULTS):
        assert f"`{name}`" in text, name
    for variable in re.findall(r"LAGUNA_([A-Z_]+)", text):
        assert variable.lower() in FIELDS or variable in {*OTHERS, "NAME"}, variable


def test_allowed_origins() -> None:
    settings = load({"public_url": "https://a.example", "origins": ["http://b.example:81"]}, {})
    assert settings.allowed_origins == {"https://a.example", "http://b.example:81"}
