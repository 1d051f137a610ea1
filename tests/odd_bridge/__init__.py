"""A bridge of another hand, which uses the freedoms of the text. No check may fail it; see `__main__`."""
