"""Talking to a service by hand, for `naysayer yea`.

The reference client does the talking. Here is what a person brings to it: key files and a principal to try things out
with (`hands`), a terminal (`printing`), and the commands that go on from a reply (`steps`).
"""
