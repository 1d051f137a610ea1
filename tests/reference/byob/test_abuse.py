"""A real host on a real socket with its ledgers on disk, and requests that are made to break it.

Each gets the right code, leaves the ledgers as they were, and gives no secret away.
"""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from reference.byob.durability import Barrier
from reference.byob.ledger import JsonlStore
from tests.reference.byob.playing import Play, capability, effect
from tests.reference.byob.serving import answers, listening, raw, request

Request = Callable[[str, str, Any], Coroutine[Any, Any, httpx.Response]]


def run(test: Coroutine[Any, Any, None]) -> None:
    """Runs a test, and fails it when it hangs."""

    async def bounded() -> None:
        async with asyncio.timeout(60):
            await test

    asyncio.run(bounded())


class Scene:
    """Two open tables and a closed one, and a client that sends what it is told with the token it is told."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = JsonlStore(folder, sync=False)
        self.play = play = Play(self.store)
        for table in ("other", "closed", "t"):
            play.create(table, termination={"any": [{"max_entries": 100_000}]})
            play.join("a", "tao").join("b", "jenny", caps=[capability()])
        play.close("closed")
        play.say("a", "a secret between us", on="t")
        self.task = play.propose("b", effect("jenny"), on="t")
        self.seat, self.admin = play.tokens["t", "b"], play.admins["t"]
        self.secrets = [*play.tokens.values(), *play.admins.values()]
        self.got: list[str] = []

    def ledgers(self) -> dict[str, list[dict[str, Any]]]:
        """All that is in any ledger."""
        return {table: self.play.ledger(table) for table in self.play.admins}

    @asynccontextmanager
    async def served(self) -> AsyncIterator[None]:
        """Serves, and closes the store afterwards."""
        try:
            async with listening(self.play.host, lambda: self.play.now, Barrier(self.store)) as self.address:
                host, port = self.address
                async with httpx.AsyncClient(base_url=f"http://{host}:{port}") as self.client:
                    yield
        finally:
            self.store.close()

    async def send(self, method: str, path: str, token: str | None = None, **options: Any) -> tuple[int, str]:
        """The status and the error code of an answer, "" for none."""
        headers = {} if token is None else {"authorization": f"Bearer {token}".encode()}
        response = await self.client.request(method, f"/v0.1/tables{path}", headers=headers, **options)
        self.got.append(response.text + str(response.headers))
        assert response.headers["byob-protocol"] == "byob/0.1"
        return response.status_code, response.json().get("error", {}).get("code", "")

    def gave_nothing_away(self, *logged: str) -> None:
        """Fails when a token stands in an answer, a log or a file."""
        kept = [path.read_text() for path in self.folder.iterdir()]
        assert kept
        for text in (*self.got, *kept, *logged):
            assert not [secret for secret in self.secrets if secret in text]
            assert "Traceback" not in text


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path / "data")


SEAT_GETS = ("projection", "entries/1", "events", "memory", "tasks/task-6")


def test_a_token_opens_its_own_table_and_its_own_door_only(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    tokens = scene.play.tokens
    wrong = [None, "x", tokens["other", "b"], tokens["closed", "b"], scene.admin, scene.seat[:-1], scene.seat + "x"]
    wrong += [scene.seat.upper(), "é", "x" * 10_000, f"{scene.seat},{scene.seat}", f"Bearer {scene.seat}"]

    async def test() -> None:
        async with scene.served():
            for token in wrong:
                for path in SEAT_GETS:
                    assert await scene.send("GET", f"/t/{path}", token) == (401, "E_UNAUTHORIZED"), (path, token)
                say = {"kind": "say", "body": "x"}
                assert await scene.send("POST", "/t/entries", token, json=say) == (401, "E_UNAUTHORIZED")
            for token in (*wrong[:4], scene.seat, scene.play.admins["other"]):
                assert await scene.send("GET", "/t/ledger", token) == (401, "E_UNAUTHORIZED")
                assert await scene.send("POST", "/t/close", token, json={}) == (401, "E_UNAUTHORIZED")

    before = scene.ledgers()
    run(test())
    assert scene.ledgers() == before
    scene.gave_nothing_away(caplog.text)


SCHEMES = (
    "Basic {}",
    "Token {}",
    "Bearer={}",
    "{}",
    "Bearer\t{}",
    "Digest {}",
    "Bearer {}\x01",
    "MAC id={}",
    "Bearer ",
)


def test_no_other_scheme_opens_anything(scene: Scene) -> None:
    async def test() -> None:
        async with scene.served():
            for scheme in SCHEMES:
                header = f"Authorization: {scheme.format(scene.seat)}"
                got = answers(await raw(scene.address, request("GET", "/v0.1/tables/t/memory", header)))
                ((status, headers, body),) = got
                assert (status, body["error"]["code"]) in [(401, "E_UNAUTHORIZED"), (400, "E_SCHEMA")], scheme
                assert headers["byob-protocol"] == "byob/0.1"
                scene.got.append(json.dumps(body))

    run(test())
    scene.gave_nothing_away()


TRICKS = [
    "..",
    ".",
    "%2e%2e",
    "../t",
    "..%2ft",
    "%2e%2e%2ft",
    "..%5ct",
    "t%00",
    "%00",
    "t%0a",
    "t%2f",
    "t/",
    "t%20",
    "T",
    "t%252e",
    "%2574",
    "t%EF%BC%8F",
    "%ff",
    "t;a=b",
    "t,other",
    "*",
    "~",
    "%7Ft",
    "x" * 129,
    "x" * 30_000,
    "%2e" * 5_000,
]


def tricky(scene: Scene, trick: str) -> list[bytes]:
    """Requests with the trick in each place of a path where an id belongs."""
    bearer, admin = f"Authorization: Bearer {scene.seat}", f"Authorization: Bearer {scene.admin}"
    media = "Content-Type: application/json"
    join = json.dumps(scene.play.request("c")).encode()
    return [
        *(request("GET", f"/v0.1/tables/{trick}/{path}", bearer) for path in SEAT_GETS),
        request("GET", f"/v0.1/tables/{trick}/ledger", admin),
        request("POST", f"/v0.1/tables/{trick}/entries", bearer, media, body=b'{"kind":"say","body":"x"}'),
        request("POST", f"/v0.1/tables/{trick}/seats", media, body=join),
        request("POST", f"/v0.1/tables/{trick}/close", admin, media, body=b"{}"),
        request("GET", f"/v0.1/tables/t/entries/{trick}", bearer),
        request("GET", f"/v0.1/tables/t/tasks/{trick}", bearer),
    ]


def test_a_path_that_plays_tricks_finds_nothing(scene: Scene) -> None:
    async def test() -> None:
        async with scene.served():
            for trick in TRICKS:
                for data in tricky(scene, trick):
                    ((status, headers, found),) = answers(await raw(scene.address, data))
                    assert (status, found["error"]["code"]) == (404, "E_NOT_FOUND"), data[:200]
                    assert headers["byob-protocol"] == "byob/0.1"
                    scene.got.append(json.dumps(found))

    before, files = scene.ledgers(), sorted(scene.folder.iterdir())
    run(test())
    assert (scene.ledgers(), sorted(scene.folder.iterdir())) == (before, files)
    scene.gave_nothing_away()


IDS: list[Any] = ["", "..", ".", "../x", "a/b", "a\\b", "a\0", "a\n", "é", "x" * 129, 5, None, ["a"], {"a": 1}]
SEQS = ("0", "-1", "99", "1.0", "1e0", "%2B1", "0x1", "%D9%A3", "%201", "9" * 5_000, "one", "1_0")


def test_no_table_and_no_seat_has_an_id_that_plays_tricks(scene: Scene) -> None:
    async def test() -> None:
        async with scene.served():
            for id in IDS:
                config = {**scene.play.ledger("t")[0]["config"], "id": id}
                assert await scene.send("POST", "", json=config) == (400, "E_SCHEMA"), id
                join = scene.play.request(id)
                assert await scene.send("POST", "/t/seats", json=join) == (400, "E_SCHEMA"), id

    before, files = scene.ledgers(), sorted(scene.folder.iterdir())
    run(test())
    assert (scene.ledgers(), sorted(scene.folder.iterdir())) == (before, files)


def test_what_is_no_seq_is_no_entry(scene: Scene) -> None:
    async def test() -> None:
        async with scene.served():
            for seq in SEQS:
                assert await scene.send("GET", f"/t/entries/{seq}", scene.seat) == (404, "E_NOT_FOUND"), seq
                since = await scene.send("GET", f"/t/projection?since={seq}", scene.seat)
                assert since == ((200, "") if seq in ("0", "99") else (400, "E_SCHEMA")), seq

    run(test())


def test_a_body_of_any_shape_is_a_schema_fault_and_nothing_worse(scene: Scene) -> None:
    shapes: list[Any] = [None, [], "say", 5, True, {}, {"kind": None}, {"kind": {"say": 1}}, {"kind": "system"}, [{}]]
    shapes += [
        {"kind": "say"},
        {"kind": "say", "body": 5},
        {"kind": "say", "body": "x", "to": "*"},
        {"kind": "approval"},
    ]
    shapes += [{"__proto__": {}}, {"id": {}}, {"a" * 100_000: 1}, {str(n): n for n in range(10_000)}]

    async def test() -> None:
        async with scene.served():
            for body in shapes:
                for path, token in (
                    ("", None),
                    ("/t/seats", None),
                    ("/t/entries", scene.seat),
                    ("/t/approvals", None),
                ):
                    assert await scene.send("POST", path, token, json=body) == (400, "E_SCHEMA"), (path, body)
            for body in (None, [], "x", {"reason": 5}, {"reason": None}, {"reason": ["x"]}):
                assert await scene.send("POST", "/t/close", scene.admin, json=body) == (400, "E_SCHEMA"), body

    before = scene.ledgers()
    run(test())
    assert scene.ledgers() == before


def test_unknown_members_are_not_kept_and_core_members_are_the_cores(scene: Scene) -> None:
    sent = {
        "kind": "say",
        "body": "x",
        "seq": 1,
        "table": "other",
        "seat": "a",
        "ts": "2000",
        "truncated": True,
        "zzz": 1,
    }

    async def test() -> None:
        async with scene.served():
            assert await scene.send("POST", "/t/entries", scene.seat, json=sent) == (200, "")

    before = scene.ledgers()["t"]
    run(test())
    entry = scene.ledgers()["t"][len(before)]
    assert (entry["seq"], entry["table"], entry["seat"]) == (len(before) + 1, "t", "b")
    assert (entry["ts"][:4] != "2000", "truncated" in entry, "zzz" in entry) == (True, False, False)


def nested(depth: int) -> dict[str, Any]:
    """Objects inside each other."""
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"a": value}
    return value


def test_depth_and_odd_numbers_are_kept_or_refused_but_never_half(scene: Scene) -> None:
    odd = {"deep": nested(50), "big": 10**300, "small": 5e-324, "float": 1.5e300, "zero": -0.0, "text": "\0\u2028😀é"}

    async def test() -> None:
        async with scene.served():
            join = scene.play.request("c", "jenny", card={"bot": "x", "proxy": False, "capabilities": [], **odd})
            assert await scene.send("POST", "/t/seats", json=join) == (200, "")
            for table, token in (("t", scene.seat), ("t", scene.play.tokens["t", "a"])):
                assert await scene.send("GET", f"/{table}/projection?since=0", token) == (200, "")
            post = {"kind": "say", "body": "\0😀", "to": ["*"]}
            assert await scene.send("POST", "/t/entries", scene.seat, json=post) == (200, "")
            for content in (json.dumps(nested(63)), json.dumps(nested(64)), json.dumps(nested(500)), "[" * 200_000):
                options = {"content": content, "headers": {}}
                options["headers"] = {"content-type": "application/json", "authorization": f"Bearer {scene.seat}"}
                response = await scene.client.post("/v0.1/tables/t/entries", **options)
                assert (response.status_code, response.json()["error"]["code"]) == (400, "E_SCHEMA")

    run(test())
    joined = scene.play.last("seat_joined", "t")
    assert {name: joined["card"][name] for name in odd} == odd
    before = scene.ledgers()
    with_new_eyes = Play(JsonlStore(scene.folder))
    with_new_eyes.admins = scene.play.admins
    assert {table: with_new_eyes.ledger(table) for table in before} == before
    with_new_eyes.store.close()


def test_one_nonce_is_one_seat_however_many_ask_at_once(scene: Scene) -> None:
    joins = [scene.play.request(f"bot-{n}", nonce="the same") for n in range(30)]

    async def test() -> None:
        async with scene.served():
            got = await asyncio.gather(*(scene.send("POST", "/t/seats", json=body) for body in joins))
            assert Counter(got) == {(200, ""): 1, (409, "E_REPLAY"): 29}

    before = scene.ledgers()["t"]
    run(test())
    (entry,) = scene.ledgers()["t"][len(before) :]
    assert (entry["event"], entry["joined"] in [body["seat"] for body in joins]) == ("seat_joined", True)


def test_one_seat_is_taken_once_however_many_ask_at_once(scene: Scene) -> None:
    async def test() -> None:
        async with scene.served():
            joins = [scene.play.request("c") for _ in range(30)]
            got = await asyncio.gather(*(scene.send("POST", "/t/seats", json=body) for body in joins))
            assert Counter(got) == {(200, ""): 1, (409, "E_SEAT_TAKEN"): 29}

    before = scene.ledgers()["t"]
    run(test())
    assert len(scene.ledgers()["t"]) == len(before) + 1


def test_one_task_is_decided_once_however_many_ask_at_once(scene: Scene) -> None:
    scene.play.table = "t"
    task = scene.play.join("x", "omar", caps=[capability("wiki")]).propose("b", effect("omar", "wiki"))
    decisions = [scene.play.decision(task, "omar", nonce="the same") for _ in range(15)]
    decisions += [scene.play.decision(task, "omar", "reject") for _ in range(15)]

    async def test() -> None:
        async with scene.served():
            got = Counter(await asyncio.gather(*(scene.send("POST", "/t/approvals", json=body) for body in decisions)))
            assert got.pop((200, "")) == 1
            assert {code for _, code in got} <= {"E_REPLAY", "E_TASK_STATE"}

    before = scene.ledgers()["t"]
    run(test())
    kinds = [entry["kind"] for entry in scene.ledgers()["t"][len(before) :]]
    assert kinds in (["approval", "system"], ["rejection", "system"])


def test_one_table_is_made_and_one_turn_is_taken_however_many_ask_at_once(scene: Scene) -> None:
    config = {**scene.play.ledger("t")[0]["config"], "id": "new"}

    async def test() -> None:
        async with scene.served():
            made = await asyncio.gather(*(scene.send("POST", "", json=config) for _ in range(20)))
            assert Counter(made) == {(200, ""): 1, (422, "E_CONFIG"): 19}
            say = {"kind": "say", "body": "x"}
            said = await asyncio.gather(*(scene.send("POST", "/t/entries", scene.seat, json=say) for _ in range(20)))
            assert Counter(said) == {(200, ""): 1, (409, "E_NOT_FLOOR"): 19}

    before = scene.ledgers()["t"]
    run(test())
    assert [entry["kind"] for entry in scene.ledgers()["t"][len(before) :]] == ["say", "system"]


def test_what_is_answered_at_once_is_in_the_ledger_in_order_and_on_disk(scene: Scene) -> None:
    async def test() -> None:
        async with scene.served():
            joins = [scene.play.request(f"bot-{n}", on=table) for n in range(20) for table in ("t", "other")]
            paths = ["/t/seats", "/other/seats"] * 20
            await asyncio.gather(
                *(scene.send("POST", path, json=join) for path, join in zip(paths, joins, strict=True))
            )

    run(test())
    now = scene.ledgers()
    for entries in now.values():
        assert [entry["seq"] for entry in entries] == [*range(1, len(entries) + 1)]
    again = Play(JsonlStore(scene.folder))
    again.admins = scene.play.admins
    assert {table: again.ledger(table) for table in now} == now
    again.store.close()
