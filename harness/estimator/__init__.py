"""The estimator benchmark: YEA's token estimate (section 8) against the real counts of a tokenizer.

`ranks` gets the tokenizer without a network, `corpus` the texts, `candidates` the estimators, `measure` the figures,
and `render` and `plot` show them. The design document of YEA rests on the table that this makes.
"""
