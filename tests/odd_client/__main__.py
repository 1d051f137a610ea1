"""`python -m tests.odd_client --odd a,b URL DO CAPABILITY PARAMS --key F --grant T --principal F --ca F`."""

import argparse
import itertools
import json
import secrets
import sys
import time
import uuid
from base64 import urlsafe_b64decode
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from reference.yea.lens import lens_reply
from tests.odd_client import FREEDOMS
from tests.odd_client.proposals import b64, canonical, honest, levels, merged, sound
from tests.odd_client.wire import Failed, Service


class Key:
    """A key pair from a key file."""

    def __init__(self, path):
        self.key = Ed25519PrivateKey.from_private_bytes(urlsafe_b64decode(Path(path).read_text().strip() + "="))
        self.public = "ed25519:" + b64(self.key.public_key().public_bytes_raw())

    def sign(self, value):
        """The signature of a value's canonical form."""
        return b64(self.key.sign(canonical(value)))


class Odd:
    """The client."""

    def __init__(self, given):
        self.given, self.odd = given, set(filter(None, given.odd.split(",")))
        unknown = self.odd - set(FREEDOMS)
        if unknown:
            sys.exit(f"no such freedom: {unknown}")
        self.service = Service(given.url, given.ca, self.odd)
        self.key, self.grants = Key(given.key) if given.key else None, given.grant
        self.numbers, self.id = itertools.count(7, 3), None

    # requests

    def name(self, frame):
        """An id for a frame."""
        if frame.get("auto"):
            return str(uuid.uuid4())
        return f"№ {next(self.numbers)} ✓ {frame['verb'].lower()}" if "names" in self.odd else f"r{next(self.numbers)}"

    def send(self, frame, target=None, grants=()):
        """Send a request, signed if there is something to sign, and return its reply."""
        whole = {"verb": frame["verb"], "yea": 1, "id": self.name(frame), **frame}
        if target is not None and self.key and (grants or "signs" in self.odd):
            if self.id is None:
                raise Failed("who would that be for?")
            over = f"auto:{target}:{whole['id']}" if frame.get("auto") else target
            ts = int(time.time())
            payload = {"ts": ts, "target": over, "verb": frame["verb"], "aud": self.id}
            whole["proof"] = {"sig": self.key.sign(payload), "ts": ts, "key": self.key.public}
            whole["grants"] = [*grants, *grants] if "signs" in self.odd else list(grants)
        reply = self.service.ask(whole)
        if reply.get("kind") == "ERROR" and reply.get("code") != "consent_required":
            raise Failed(f"{reply.get('code')}: {reply.get('message')}")
        return reply

    def hello(self):
        """Learn who the service is."""
        if self.id is None or "greets" in self.odd:
            service = self.send({"verb": "HELLO"}).get("service")
            name = service.get("id") if isinstance(service, dict) else None
            if not isinstance(name, str):
                raise Failed("it does not say who it is")
            self.id = name

    def ordered(self, verb, params, **more):
        """A request to the capability of the command line."""
        self.hello()
        capability = self.given.capability
        unsigned = verb == "ASK" and "signs" not in self.odd
        frame = {"verb": verb, "params": params, "capability": capability, **more}
        return self.send(frame, capability, () if unsigned else self.grants)

    # jobs

    def ask(self, params):
        """The job `ask`."""
        try:
            return self.done(self.ordered("ASK", params))
        except Failed:
            if "retries" not in self.odd:
                raise
        return self.done(self.ordered("ASK", params, budget=500))

    def auto(self, params):
        """The job `auto`."""
        reply = self.ordered("INTENT", params, auto=True, goal="as it is")
        if reply["kind"] != "RECEIPT":
            raise Failed("it was not committed")
        return self.done(reply)

    def commit(self, params, approved=False):
        """The job `commit`, or with a person who approves, `approve`."""
        reply = self.ordered("INTENT", params)
        if reply["kind"] == "CLARIFY":
            reply = self.ordered("INTENT", merged(params, reply["options"][0]["params"]))
        offered = reply.get("proposals", [])
        good = [proposal for proposal in offered if sound(proposal)]
        if not good or ("strict" in self.odd and len(good) < len(offered)):
            raise Failed("nothing that could be committed")
        reply = self.committed(good[0], self.grants)
        if reply["kind"] != "ERROR":
            return self.done(reply)
        shown = self.person(reply.get("consent"), good[0])
        if not approved:
            return {"outcome": "failed", "why": "a person has to approve", "consent": shown}
        receipt = self.committed(good[0], [*self.grants, self.approval(reply["consent"], good[0])])
        return {**self.done(receipt), "consent": shown}

    def committed(self, proposal, grants):
        """COMMIT."""
        frame = {"hash": proposal["hash"], "proposal": proposal["id"], "verb": "COMMIT"}
        return self.send(frame, proposal["hash"], grants)

    def person(self, asked, proposal):
        """What a person is shown; nothing for a request that does not match."""
        own = {"hash": proposal["hash"], "proposal": proposal["id"], "capability": proposal["capability"]}
        deep = levels({name: value for name, value in proposal.items() if name != "data"}) > 32
        if deep or any(asked.get(name) != value for name, value in {**own, "service": self.id}.items()):
            raise Failed("that is not what was proposed")
        if "strict" in self.odd and not honest(proposal):
            raise Failed("the hash is not that of the proposal")
        lines = [f"* {e['op'].upper()} -> {e['target']} {e.get('detail', '')}" for e in proposal["effects"]]
        used = [f"{name}={q['amount']}e-{q.get('scale', 0)}" for name, q in proposal.get("uses", {}).items()]
        undo = proposal.get("undo")
        back = f"zpět lze {undo['window'] // 60} min" if undo else "zpět to nejde"
        risk = {"low": "malé", "medium": "střední", "high": "velké"}[proposal["risk"]]
        now = [f"je {time.strftime('%H:%M:%S')} {time.perf_counter_ns()}"] if "clock" in self.odd else []
        return "\n".join([f"[{proposal['hash'][:8]}] schválit?", *lines, *used, back, f"riziko {risk}", *now])

    def approval(self, asked, proposal):
        """What the principal signs once a person has approved."""
        principal = Key(self.given.principal)
        caveats = [
            {"exp": proposal["expires"]},
            {"only": proposal["hash"]},
            {"can": [proposal["capability"]]},
            {"verbs": ["COMMIT"]},
            {"svc": [self.id]},
        ]
        block = {
            "nonce": secrets.token_hex(4),
            "iat": int(time.time()),
            "iss": principal.public,
            "sub": self.key.public,
        }
        block["caveats"] = caveats
        return "pg1." + b64(canonical([{"p": block, "s": principal.sign(block)}]))

    def done(self, reply):
        """A job that succeeded."""
        lens = lens_reply(reply)
        shown = f"The service answered:\n\n{lens}\n\n(end)" if "chatty" in self.odd else lens
        return {"shown": shown, "took": 0.1, "outcome": "done"}

    def run(self):
        """All jobs; returns the exit code."""
        jobs = {"ask": self.ask, "auto": self.auto, "commit": self.commit}
        jobs["approve"] = lambda params: self.commit(params, approved=True)
        code = 0
        for job in self.given.do.split(","):
            if "chatty" in self.odd:
                sys.stdout.write(f'log: {job} begins\n\n{{"level": "info"}}\n')
            try:
                result = jobs[job](json.loads(self.given.params))
            except (Failed, OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError) as problem:
                result, code = {"outcome": "failed", "why": str(problem)}, 3 if "sour" in self.odd else 0
            sys.stdout.write(json.dumps(result, ensure_ascii="spells" in self.odd) + "\n")
        return code


def main():
    """Read the command line and do the jobs."""
    parser = argparse.ArgumentParser()
    for name in ("url", "do", "capability", "params"):
        parser.add_argument(name)
    for name in ("key", "principal", "ca"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--odd", default="")
    parser.add_argument("--grant", action="append", default=[])
    return Odd(parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())
