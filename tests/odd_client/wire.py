"""One service, over a stream or the bridge: a request goes out, its final reply comes back."""

import http.client
import json
import random
import socket
import ssl
from urllib.parse import urlsplit

LIMIT = 1 << 20
PORTS = {"yea": 7447, "yeas": 7448}
PATIENCE = 8.0


class Failed(Exception):
    """No reply that can be used."""


def spelled(frame, odd):
    """The frame as a line, without its newline."""
    if "adds" in odd:
        frame = {**frame, "x-trace": {"hop": [1, None]}, "lang": "cs"}
    if "spells" in odd:
        backwards = dict(reversed(frame.items()))
        return json.dumps(backwards, separators=(" ,  ", " : ")).encode()
    return json.dumps(frame, ensure_ascii=False).encode()


class Service:
    """Where a service is, and the connection to it if one is kept."""

    def __init__(self, url, ca, odd):
        self.where, self.odd, self.socket, self.file = urlsplit(url), odd, None, None
        self.context = ssl.create_default_context(cafile=ca) if ca else None

    def ask(self, frame):
        """The final reply to a request."""
        post = self.where.scheme in ("http", "https")
        return self.post(frame) if post else self.stream(frame)

    def post(self, frame):
        """Over HTTP: one POST a request."""
        kind = http.client.HTTPSConnection if self.where.scheme == "https" else http.client.HTTPConnection
        more = {"context": self.context} if self.where.scheme == "https" else {}
        connection = kind(self.where.netloc, timeout=PATIENCE, **more)
        try:
            connection.request("POST", self.where.path, spelled(frame, self.odd), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return self.replies(frame, answer.readline)
        except (OSError, http.client.HTTPException) as problem:
            raise Failed(str(problem)) from None
        finally:
            connection.close()

    def stream(self, frame):
        """Over TCP or TLS: one line a request."""
        if self.socket is None or "reconnects" in self.odd:
            self.close()
            self.open()
        line = spelled(frame, self.odd) + b"\n"
        try:
            if "splits" in self.odd:
                middle = random.randrange(1, len(line) - 1)
                self.socket.sendall(b"\n" + line[:middle])
                self.socket.sendall(line[middle:])
            else:
                self.socket.sendall(line)
            return self.replies(frame, self.file.readline)
        except OSError as problem:
            self.close()
            raise Failed(str(problem)) from None

    def open(self):
        """Connect."""
        port = self.where.port or PORTS.get(self.where.scheme)
        if port is None:
            raise Failed("what kind of address is that?")
        plain = socket.create_connection((self.where.hostname, port), timeout=PATIENCE)
        tls = self.where.scheme == "yeas"
        self.socket = self.context.wrap_socket(plain, server_hostname=self.where.hostname) if tls else plain
        self.file = self.socket.makefile("rb")

    def close(self):
        """Hang up."""
        if self.socket is not None:
            self.file.close()
            self.socket.close()
            self.socket = self.file = None

    def replies(self, frame, readline):
        """Read to the final reply of a request; what is too long is read away."""
        while True:
            line = readline(LIMIT + 1)
            if not line:
                self.close()
                raise Failed("it hung up")
            if len(line.rstrip(b"\n")) > LIMIT:
                while line and not line.endswith(b"\n"):
                    line = readline(LIMIT)
                raise Failed("a reply was too large")
            reply = json.loads(line)
            if reply.get("re") == frame["id"] and reply.get("kind") != "EVENT":
                return reply
