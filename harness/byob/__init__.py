"""What checks of BYOB table hosts use: owners, tables by recipe, the host's dialect, finders by value, refusals."""
