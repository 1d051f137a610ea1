"""Executable models of a BYOB table, small and written from the spec's text apart from the reference.

`turns` says who may speak next in each topology, `floor` adds hands, the bot depth and the ways a table ends, and
`visibility` says who sees what. Where the text is open a model allows every fair reading: a model's answer is a set of
outcomes, or None for "either". Models are pure: posts go in, what may be seen comes out.
"""
