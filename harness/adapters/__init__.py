"""Adapters: the pure functions of an implementation in any language, over standard input and output.

`operations` is the reference's own side, `serving` the loop around it, `process` drives somebody else's adapter, and
`judging` turns its answers into report rows. `docs/adapters.md` is the protocol for implementers.
"""
