"""Certifying clients: naysayer plays a YEA service to a client that it starts (docs/client-contract.md).

`plays` is what the played service says, without I/O. `hosting` serves a play over a transport. `starting` runs the
client's command with bounds, `results` reads what it prints. `context` is a check's `t` with all of them, `session`
makes a run of it for the runner that services have too. `program` is the reference client as such a command.
"""
