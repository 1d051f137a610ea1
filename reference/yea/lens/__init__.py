"""Lens: the canonical, compact text that a model reads instead of JSON (YEA 9).

`lens_value` renders any JSON value (9.1), `lens_reply` a reply frame (9.2). Both are total: no JSON value, however
hostile or deep, makes them raise, and what they take is linear in its size. One small module for each thing that the
section names: the depth cut, the key order, numbers, strings, compact JSON, times, lean notation, the well-formed
frames and the templates of the reply kinds.

Where the text is open (the ledger of open questions has the numbers), this is the reading taken:

- Texts in a template are inserted as they are, line breaks and lone surrogates included (Q85, Q88), so the result is
  a string that need not have a UTF-8 encoding.
- Null counts as absent where the table of 9.2 marks a member as optional, and in `retry`. In `uses`, `result` and a
  proposal's `data`, which have no such mark, null is present: `uses: ?`, `result: -`, `data: -` (Q84).
- Present but empty is present: `need: []`, an empty summary, an empty detail (Q84).
- A result and a proposal's data of any shape render as a member at indent 1 (Q86).
- Nothing to render is `{}` (Q81), a duration of 0 is `0s` (Q83), an op outside the five has the sign `*` (Q88).
- A receipt with `undoes` never shows effects, also when it is an auto-commit's (Q88).
- A number beyond the range of a double is Infinity (Q82), and null in compact JSON.
"""

from reference.yea.lens.replies import lens_reply
from reference.yea.lens.values import lens_value

__all__ = ["lens_reply", "lens_value"]
