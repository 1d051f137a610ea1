"""A client that naysayer can certify: a main around an SDK, here the reference client (docs/client-contract.md).

naysayer certify --protocol yea-client --command 'python3 docs/clients/minimal.py {url} {do} {capability} {params}
    {seed_file} {grant} {principal_file} {ca}'
"""

import asyncio
import base64
import json
import secrets
import ssl
import sys
import time
from pathlib import Path

from reference.yea.client import Clarify, Client, ClientError, ConsentRequired, Proposals, Receipt, open_link
from reference.yea.client.principal import sign_consent
from reference.yea.keys import KeyPair


def key(path):
    """The key in a file: 32 bytes as base64url."""
    return KeyPair(base64.urlsafe_b64decode(Path(path).read_text().strip() + "="))


async def job(client, do, capability, params, principal):
    """One job; returns what to print."""
    if client.service_id is None:
        await client.hello()
    if do == "ask":
        return {"shown": (await client.ask(capability, params)).lens}
    if do == "auto":
        reply = await client.intent(capability, params, auto=True)
        return {"outcome": "done" if isinstance(reply, Receipt) else "failed", "shown": reply.lens}
    reply = await client.intent(capability, params)
    if isinstance(reply, Clarify):
        reply = await client.intent(capability, reply.picked(1, params))
    if not isinstance(reply, Proposals):
        return {"outcome": "failed", "why": "neither proposals nor a question"}
    try:
        return {"shown": (await client.commit(reply.proposals[0])).lens}
    except ConsentRequired as asked:
        shown = {"consent": asked.request.text()}
        if do != "approve":
            return {"outcome": "failed", "why": "a person has to approve", **shown}
        token = sign_consent(key(principal), asked.request, iat=int(time.time()), nonce=secrets.token_hex(8))
        return {"shown": (await client.commit(reply.proposals[0], consent=token)).lens, **shown}


async def main(url, do, capability, params, seed_file, grant, principal_file, ca):
    """Do the jobs and print a line for each."""
    link = await open_link(url, context=ssl.create_default_context(cafile=ca))
    async with Client(link, key=key(seed_file), grants=[grant]) as client:
        for each in do.split(","):
            try:
                said = await job(client, each, capability, json.loads(params), principal_file)
            except ClientError as problem:
                said = {"outcome": "failed", "why": str(problem)}
            print(json.dumps({"outcome": "done", **said}), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
