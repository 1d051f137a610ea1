"""Small services of the kinds that people have, for the example profiles in `docs/profiles/`."""
