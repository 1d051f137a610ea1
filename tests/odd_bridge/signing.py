"""The odd bridge's key: from PEM alone, and what it signs (BYOB 4, 9)."""

import base64
import json
import uuid
from pathlib import Path
from typing import Any

from nacl.signing import SigningKey

HEAD = "-----BEGIN PRIVATE KEY-----"


class Key:
    """The owner's key from a PEM file of PKCS#8."""

    def __init__(self, path: str) -> None:
        text = Path(path).read_text()
        if not text.startswith(HEAD):
            raise SystemExit("the key has to be in PEM")
        body = "".join(line for line in text.splitlines() if not line.startswith("-----"))
        self._key = SigningKey(base64.b64decode(body)[-32:])

    def signed(self, table: str, members: dict[str, Any]) -> dict[str, Any]:
        """Return members with a nonce and a signature over them and the table."""
        whole = {**members, "nonce": str(uuid.uuid4())}
        text = json.dumps({**whole, "table": table}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return {**whole, "signature": base64.b64encode(self._key.sign(text.encode()).signature).decode()}
