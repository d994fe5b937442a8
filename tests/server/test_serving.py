"""`laguna serve` and its companions, as they are typed: handshakes, goodbyes, doctor, backup."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from uvicorn.server import ServerState
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from laguna.server.network.http_timeouts import TimedHttp
from tests.server.nats_server import NatsServer
from tests.server.running import Running, running
from tests.size import scaled

QUICK = {"game": "neptune-vesta", "options": {"rounds": 1}}
SOON = 10  # seconds: at once, but other programs run too


def laguna_command(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "laguna", *map(str, words)], capture_output=True, text=True, timeout=120
    )


def token(server: Running) -> str:
    return str(httpx.post(f"{server.url}/api/tokens").json()["token"])


def socket_of(server: Running, **headers: str) -> ClientConnection:
    url = server.url.replace("http", "ws") + "/api/socket"
    return connect(url, additional_headers=headers, proxy=None, open_timeout=20)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with running(tmp_path_factory.mktemp("serving")) as server:
        yield server


# ------------------------------------------------------------------ handshakes


def test_who_may_open_a_socket(server: Running) -> None:
    mine = token(server)
    with httpx.Client() as page:
        page.get(f"{server.url}/api/me")
        cookie = f"laguna={page.cookies['laguna']}"
    allowed: list[dict[str, str]] = [
        {"Authorization": f"Bearer {mine}"},
        {"Cookie": cookie, "Origin": server.url},
        {"Authorization": f"Bearer {mine}", "Origin": server.url},
    ]
    for headers in allowed:
        with socket_of(server, **headers) as opened:
            assert json.loads(opened.recv(10))["is"] == "hello"
    refused: list[dict[str, str]] = [
        {},
        {"Cookie": cookie},  # no browser, and no token
        {"Cookie": cookie, "Origin": "http://evil.example"},
        {"Authorization": f"Bearer {mine}", "Origin": "http://evil.example"},
        {"Cookie": "laguna=nobody", "Origin": server.url},
        {"Authorization": "Bearer nobody"},
        {"Origin": server.url},
    ]
    for headers in refused:
        with pytest.raises(InvalidStatus) as error, socket_of(server, **headers):
            pass
        assert error.value.response.status_code == 403, headers


def test_there_is_one_socket_address(server: Running) -> None:
    url = server.url.replace("http", "ws") + "/api/other"
    with pytest.raises(InvalidStatus), connect(url, proxy=None):
        pass


@pytest.mark.proof
def test_sockets_are_limited(tmp_path: Path) -> None:
    with running(tmp_path, limits="socket=2/h 100/h") as server:
        headers = {"Authorization": f"Bearer {token(server)}"}
        for _ in range(2):
            with socket_of(server, **headers):
                pass
        with pytest.raises(InvalidStatus) as refused, socket_of(server, **headers):
            pass
        assert refused.value.response.status_code == 429  # so that a client tries again later


def test_a_frame_too_large_ends_the_connection(server: Running) -> None:
    with socket_of(server, Authorization=f"Bearer {token(server)}") as opened:
        opened.recv(10)
        opened.send("x" * 100_000)
        bye = json.loads(opened.recv(10))
        assert (bye["is"], bye["key"]) == ("bye", "too-large")
        with pytest.raises(ConnectionClosed):
            opened.recv(10)


def test_a_frame_that_makes_no_sense_ends_the_connection(server: Running) -> None:
    for frame in ("[" * 8000, "{" * 100, "\x00", '{"id": 1e999}', '{"a":' * 1500):
        with socket_of(server, Authorization=f"Bearer {token(server)}") as opened:
            opened.recv(10)
            opened.send(frame)
            assert json.loads(opened.recv(10))["key"] == "malformed"
    assert '"level": "error"' not in server.log.read_text()


@pytest.mark.parametrize(
    ("headers", "status", "found"),
    [
        ([f"X-{number}: x" for number in range(130)], 431, "at most 128 headers"),
        (["X: " + "x" * 9000], 431, "8192 bytes"),
        (["Cookie: laguna=" + "x" * 9000], 431, "8192 bytes"),
        (["Content-Length: 5"], 400, "without a body"),
        (["Transfer-Encoding: chunked"], 400, "without a body"),
        (["Content-Length: 0"], 403, "origin"),
        (["Origin: http://one.example", "Origin: http://two.example"], 400, "Origin"),
        (["Sec-WebSocket-Key: MDEyMzQ1Njc4OTAxMjM0NQ=="], 400, "Sec-WebSocket-Key"),
        (["Sec-WebSocket-Version: \xe9"], 400, "Sec-WebSocket-Version"),
        (["Authorization: Bearer \xff\x80"], 403, "who"),
    ],
)
def test_an_impossible_handshake_is_answered(
    server: Running, headers: list[str], status: int, found: str
) -> None:
    before = len(server.log.read_text())
    with raw(server) as opened:
        opened.sendall(handshake(*headers))
        answer = b""
        while piece := opened.recv(65_536):
            answer += piece
    head, _, body = answer.decode().partition("\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {status} ") and found in body, answer
    logged = server.log.read_text()[before:]
    assert '"level": "error"' not in logged and "Traceback" not in logged, logged


# ------------------------------------------------------------------ sockets that try to stop the server


def raw_socket(server: Running) -> socket.socket:
    """A guest's websocket right after its handshake, for arbitrary frames."""
    opened = raw(server)
    opened.sendall(handshake(f"Authorization: Bearer {token(server)}"))
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += opened.recv(1)
    assert head.startswith(b"HTTP/1.1 101 ")
    return opened


def handshake(*headers: str) -> bytes:
    lines = [
        "GET /api/socket HTTP/1.1",
        "Host: x",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: MDEyMzQ1Njc4OTAxMjM0NQ==",
        *headers,
    ]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def frame(first: int, payload: bytes = b"") -> bytes:
    return bytes([first, 0x80 | len(payload), 0, 0, 0, 0]) + payload


def used(server: Running) -> tuple[float, float]:
    """The seconds of processor time and the MiB of memory that the server uses."""
    process = Path(f"/proc/{server.process.pid}")
    times = (process / "stat").read_text().rpartition(")")[2].split()
    seconds = (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")
    pages = int((process / "statm").read_text().split()[1])
    return seconds, pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def test_empty_parts_of_a_message_do_not_stop_the_server(server: Running) -> None:
    before, _ = used(server)
    with raw_socket(server) as opened:
        opened.sendall(frame(0x01, b"x") + frame(0x00) * 60_000)
        assert httpx.get(f"{server.url}/api/health", timeout=60).elapsed.total_seconds() < SOON
        heard = b""
        while piece := opened.recv(65_536):
            heard += piece
    assert b'"key":"too-large"' in heard
    after, _ = used(server)
    assert after - before < 2


def test_a_flood_of_small_frames_keeps_nobody_waiting(server: Running) -> None:
    flood = frame(0x8A) * 20_000
    over = threading.Event()

    def send() -> None:
        with raw_socket(server) as opened:
            while not over.is_set():
                opened.sendall(flood)

    with ThreadPoolExecutor(1) as thread:
        sending = thread.submit(send)
        try:
            time.sleep(1)
            for _ in range(5):
                asked = httpx.get(f"{server.url}/api/health", timeout=60)
                assert asked.elapsed.total_seconds() < SOON
        finally:
            over.set()
        sending.result(60)


@pytest.mark.proof
def test_pongs_that_nobody_reads_do_not_fill_the_memory(server: Running) -> None:
    _, before = used(server)
    while abs(before - (before := used(server)[1])) > 1:  # it still loads games
        time.sleep(0.5)
    pings = frame(0x89, b"x" * 125) * 1000
    until = time.monotonic() + 10
    with raw_socket(server) as opened, pytest.raises(OSError):
        while time.monotonic() < until:
            opened.sendall(pings)
    _, after = used(server)
    assert after - before < 50


# ------------------------------------------------------------------ requests that do not get to the point


def raw(server: Running) -> socket.socket:
    opened = socket.create_connection(("127.0.0.1", int(server.url.rpartition(":")[2])), 10)
    opened.settimeout(20)
    return opened


@pytest.mark.parametrize("piece", [b"x" * 1000, b"x: y\r\n" * 200])
def test_an_endless_head_is_cut_off(server: Running, piece: bytes) -> None:
    with raw(server) as opened:
        opened.sendall(b"GET /api/health HTTP/1.1\r\nhost: x\r\ny: ")
        with pytest.raises(OSError):
            for _ in range(2000):
                opened.sendall(piece)
                time.sleep(0.0005)


@pytest.mark.proof
@pytest.mark.anyio
async def test_the_server_does_not_wait_for_a_slow_head() -> None:
    class Hasty(TimedHttp):
        head_seconds = 0.3

    async def page_of_words(scope: Any, receive: Any, send: Any) -> None:
        await PlainTextResponse("words")(scope, receive, send)

    loop = asyncio.get_running_loop()
    config = uvicorn.Config(page_of_words, http=Hasty, lifespan="off", log_config=None)
    config.load()
    listening = await loop.create_server(lambda: Hasty(config, ServerState(), {}, _loop=loop), "127.0.0.1", 0)
    heard = []
    for sent in (
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nhost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\n\r\nGET",
    ):
        reader, writer = await asyncio.open_connection(*listening.sockets[0].getsockname())
        writer.write(sent)
        heard.append(await asyncio.wait_for(reader.read(), 10))
        writer.close()
        await writer.wait_closed()
    listening.close()
    nothing, half, whole, whole_and_half = heard
    assert nothing == half == b"" and whole.endswith(b"words") and whole_and_half.endswith(b"words")


# ------------------------------------------------------------------ the end


def test_goodbye(tmp_path: Path) -> None:
    with running(tmp_path) as server, socket_of(server, Authorization=f"Bearer {token(server)}") as opened:
        opened.recv(10)
        server.process.send_signal(signal.SIGTERM)
        bye = json.loads(opened.recv(10))
        assert bye["is"] == "bye" and bye["again"] is not None
        with pytest.raises(ConnectionClosed):
            opened.recv(10)
        assert server.process.wait(20) in (0, -signal.SIGTERM)
        events = [json.loads(line)["event"] for line in server.log.read_text().splitlines()]
        assert "stopped" in events


# ------------------------------------------------------------------ the log


@pytest.mark.proof
def test_the_log_of_a_whole_game_holds_nothing_secret(tmp_path: Path) -> None:
    password, chat, query = "coral-reef-7", "meet me at the lighthouse", "pearl-in-a-query"
    words = ("--set", "log_level=debug", "--set", "log_format=json")
    with running(tmp_path, *words) as server, httpx.Client(base_url=server.url, timeout=60) as page:
        page.headers["origin"] = server.url
        page.get("/api/me")
        page.post("/api/me/account", json={"account": "ann", "password": password})
        page.post("/api/log-in", json={"account": "ann", "password": password + "!"})
        page.post("/api/log-in", json={"account": "ann", "password": password})
        seats = [{"kind": "me"}, {"kind": "bot", "level": "turtle"}]
        table = page.post("/api/tables", json={"settings": QUICK, "seats": seats}).json()["table"]
        link = page.post(f"/api/tables/{table}/seats/0/link").json()["link"]
        robot = token(server)
        page.post("/api/links", json={"link": link}, headers={"authorization": f"Bearer {robot}"})
        page.get(f"/api/tables/{table}/replay", params={"seat": query})
        with socket_of(server, Cookie=f"laguna={page.cookies['laguna']}", Origin=server.url) as opened:
            secret = play(opened, table, chat)
        page.post("/api/log-out")
        assert server.stop() in (0, -signal.SIGTERM)
        log = server.log.read_text()
    lines = [json.loads(line) for line in log.splitlines()]
    assert any(line.get("table") == table and line["event"] == "table opened" for line in lines)
    assert len(lines) > 20
    cookies = [page.cookies.get("laguna") or "-" * 43]
    for found in (password, chat, query, robot, link.partition("=")[2], secret, *cookies, "Bearer", "argon2"):
        assert found not in log, found


def play(opened: ClientConnection, table: str, chat: str) -> str:
    """Play the first seat to the end, and return the secret that is shown then."""
    number = 0
    view: Any = None

    def ask(do: str, **fields: Any) -> None:
        nonlocal number
        number += 1
        opened.send(json.dumps({"do": do, "id": number, "table": table} | fields))

    ask("follow")
    ask("start")
    ask("say", text=chat)
    acting = 0  # the number of the action that is not answered yet
    while True:
        frame = json.loads(opened.recv(60))
        assert frame["is"] != "refused", frame
        if frame["is"] == "done" and frame["id"] == acting:
            acting = 0
        view = frame.get("view", view)
        if view and view["status"] == "over":
            return str(view["secret"])
        if view and view["deciders"] == [0] and not acting:
            ask("act", version=view["version"], action=view["game"]["legal"][0])
            acting = number


# ------------------------------------------------------------------ starting, and not


def test_a_port_in_use_is_reported_in_a_sentence(server: Running) -> None:
    port = server.url.rpartition(":")[2]
    done = laguna_command("serve", "--port", port)
    assert done.returncode == 2 and "cannot be used" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.proof
def test_a_foreign_database_is_reported_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "notes.sqlite"
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE notes (text)")
    done = laguna_command("serve", "--port", 0, "--database", f"sqlite:///{file}")
    assert done.returncode == 2 and "is not a Laguna database" in done.stderr
    assert "Traceback" not in done.stderr


def test_settings_are_checked_before_anything_starts() -> None:
    for words, found in [
        (("serve", "--port", "99999"), "port"),
        (("serve", "--set", "prot=1"), "There is no setting"),
        (("serve", "--set", "port"), "NAME=VALUE"),
        (("serve", "--host", "a" * 900), "is not the name of a host"),
        (("worker",), "needs a bus"),
    ]:
        done = laguna_command(*words)
        assert done.returncode == 2 and found in done.stderr and "Traceback" not in done.stderr


def test_the_help_is_quick_because_the_server_is_imported_late() -> None:
    code = "import sys, laguna.cli.main; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"fastapi", "numba", "sqlalchemy", "nats", "structlog", "prometheus_client", "argon2"}
    assert not heavy & set(done.stdout.split())


# ------------------------------------------------------------------ doctor and backup


def test_doctor(server: Running, tmp_path: Path) -> None:
    healthy = laguna_command("doctor", "--set", f"data={tmp_path}", "--set", "port=0")
    assert healthy.returncode == 0, healthy.stdout
    marks = [line[0] for line in healthy.stdout.splitlines()]
    assert marks == ["✓"] * 8 and not list(tmp_path.iterdir())
    port = server.url.rpartition(":")[2]
    bad = tmp_path / "bad.sqlite"
    bad.write_text("this is no database" * 100)
    words = (
        "--set",
        f"port={port}",
        "--database",
        f"sqlite:///{bad}",
        "--bus",
        "nats://me:pearl@127.0.0.1:9",
    )
    ill = laguna_command("doctor", *words)
    assert ill.returncode == 1
    wrong = {line[2:].partition(":")[0] for line in ill.stdout.splitlines() if line.startswith("✗")}
    assert {"port", "bus"} <= wrong and "pearl" not in ill.stdout and "Traceback" not in ill.stderr


@pytest.mark.proof
def test_doctor_finds_a_bus() -> None:
    with NatsServer() as nats:
        done = laguna_command("doctor", "--bus", nats.url, "--set", "port=0")
        assert f"✓ bus: {nats.url} answers." in done.stdout


@pytest.mark.proof
def test_backup_of_a_running_server(server: Running, tmp_path: Path) -> None:
    headers = {"authorization": f"Bearer {token(server)}"}
    table = httpx.post(f"{server.url}/api/tables", json={"settings": QUICK}, headers=headers).json()["table"]
    folder = server.log.parent
    copy = tmp_path / "copy.sqlite"
    done = laguna_command("backup", copy, "--set", f"data={folder}")
    assert done.returncode == 0, done.stderr
    with sqlite3.connect(copy) as database:
        assert table in "\n".join(database.iterdump())
    assert laguna_command("backup", "--set", f"data={folder}").returncode == 0
    assert len(list((folder / "backups").glob("laguna-*.sqlite"))) == 1
    nothing = laguna_command("backup", copy, "--set", f"data={tmp_path}/none")
    assert nothing.returncode == 2 and "No backup was made" in nothing.stderr


def test_a_worker_stops_when_asked() -> None:
    with NatsServer() as nats:
        worker = subprocess.Popen(
            [sys.executable, "-m", "laguna", "worker", "--bus", nats.url],
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ,
        )
        assert worker.stderr is not None
        try:
            assert "waiting for jobs" in worker.stderr.readline()
            time.sleep(0.1)
            worker.send_signal(signal.SIGTERM)
            assert worker.wait(20) == 0
        finally:
            worker.kill()
            worker.wait(10)
            worker.stderr.close()


# ------------------------------------------------------------------ the database of a running server


def ready(server: Running) -> int:
    return httpx.get(f"{server.url}/api/ready", timeout=30).status_code


def until_ready(server: Running, status: int, seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while ready(server) != status:
        assert time.monotonic() < until, server.log.read_text()
        time.sleep(0.2)


@pytest.mark.proof
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the files of another process")
@pytest.mark.parametrize("traffic", scaled([True], [False, True]))
def test_a_full_disk_is_not_ready(tmp_path: Path, traffic: bool) -> None:
    """No file of the server may grow: for SQLite that is as full as a disk can be."""
    with running(tmp_path) as server:
        assert ready(server) == 200
        time.sleep(1.5)
        size = (tmp_path / "laguna.sqlite-wal").stat().st_size
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        if traffic:
            assert httpx.post(f"{server.url}/api/tokens", timeout=30).status_code == 503
        assert ready(server) == 503
        assert httpx.get(f"{server.url}/api/health").status_code == 200
        unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, unlimited)
        until_ready(server, 200)
        assert httpx.post(f"{server.url}/api/tokens", timeout=30).status_code == 201
        assert "Traceback" not in server.log.read_text()


@pytest.mark.proof
@pytest.mark.parametrize("damaged", [["people", "tokens"], ["entries"], []], ids=str)
def test_a_damaged_file_is_not_ready(tmp_path: Path, damaged: list[str]) -> None:
    """Noise where some tables are; or nothing left at all."""
    with running(tmp_path) as server:
        token(server)
        assert server.stop() in (0, -signal.SIGTERM)  # all of it is in one file then
    file = tmp_path / "laguna.sqlite"
    with sqlite3.connect(file) as database:
        pages = dict(database.execute("SELECT name, rootpage FROM sqlite_master WHERE rootpage"))
        size = database.execute("PRAGMA page_size").fetchone()[0]
    database.close()
    with running(tmp_path) as server:
        with file.open("r+b") as opened:
            for name in damaged:
                opened.seek((pages[name] - 1) * size)
                opened.write(os.urandom(size))
            if not damaged:
                opened.truncate(0)
        assert ready(server) == 503
        assert httpx.get(f"{server.url}/api/health").status_code == 200


def test_a_probe_writes_once_a_second_at_most(server: Running) -> None:
    def commits() -> float:
        text = httpx.get(f"{server.url}/metrics").text
        return next(float(line.split()[1]) for line in text.splitlines() if line.startswith(COMMITS))

    before, began = commits(), time.monotonic()
    for _ in range(50):
        assert ready(server) == 200
    marks = 2  # of the server's own: that it is up, and which tokens are in use
    assert 0 <= commits() - before <= time.monotonic() - began + 1 + marks


COMMITS = "laguna_storage_commit_seconds_count"


@pytest.mark.proof
def test_two_servers_on_one_file_are_refused(server: Running, tmp_path: Path) -> None:
    folder = server.log.parent
    link = tmp_path / "link.sqlite"
    link.symlink_to(folder / "laguna.sqlite")
    for file in (folder / "laguna.sqlite", link):
        done = laguna_command("serve", "--port", 0, "--database", f"sqlite:///{file}")
        assert done.returncode == 2 and "Another server is using the database" in done.stderr
        assert "Traceback" not in done.stderr
    assert ready(server) == 200


def test_a_killed_server_starts_again(tmp_path: Path) -> None:
    for _ in range(2):
        with running(tmp_path) as server:
            token(server)
            server.process.kill()
            server.process.wait(10)


@pytest.mark.proof
def test_an_emptied_database_is_not_mistaken_for_a_new_one(tmp_path: Path) -> None:
    with running(tmp_path):
        pass
    file = tmp_path / "laguna.sqlite"
    words = ("serve", "--port", 0, "--set", f"data={tmp_path}")
    for left in ("laguna.sqlite-wal", "laguna.sqlite-shm"):
        (tmp_path / left).unlink(missing_ok=True)
    for emptied in (lambda: file.write_bytes(b""), lambda: empty_database(file)):
        emptied()
        done = laguna_command(*words)
        assert done.returncode == 2 and "is empty, although a server has used it before" in done.stderr
        doctor = laguna_command("doctor", "--set", "port=0", "--set", f"data={tmp_path}")
        assert "✗ database" in doctor.stdout and "is empty" in doctor.stdout
    (tmp_path / "laguna.sqlite-server").unlink()
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / "laguna-20260101-000000.sqlite").touch()
    done = laguna_command(*words)
    assert done.returncode == 2 and "is empty, although there are backups in" in done.stderr
    file.unlink()  # who removes it wants a new one
    with running(tmp_path) as server:
        assert "creating a new database" in server.log.read_text()


def empty_database(file: Path) -> None:
    file.unlink()
    with sqlite3.connect(file) as database:
        database.execute("VACUUM")


@pytest.mark.proof
def test_an_interrupted_first_start_is_repeated(tmp_path: Path) -> None:
    """The file was made, and nothing was written yet."""
    (tmp_path / "laguna.sqlite").touch()
    (tmp_path / "laguna.sqlite-server").touch()
    with running(tmp_path) as server:
        assert ready(server) == 200


@pytest.mark.proof
def test_the_server_waits_for_a_postgresql_that_is_not_up_yet(
    tmp_path: Path, postgresql: Any, postgresql_url: str
) -> None:
    postgresql.stop()
    log = tmp_path / "log.txt"
    with ThreadPoolExecutor(1) as thread:

        def start_when_it_waits() -> None:
            try:
                until = time.monotonic() + 30
                while "waiting for the database" not in (log.read_text() if log.exists() else ""):
                    assert time.monotonic() < until
                    time.sleep(0.1)
            finally:
                postgresql.ensure_postgres_running()

        starting = thread.submit(start_when_it_waits)
        with running(tmp_path, "--database", postgresql_url) as server:
            assert ready(server) == 200
        starting.result()
