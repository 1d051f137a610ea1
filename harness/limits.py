"""Bounds on everything that is read from a target: a target is hostile until proven otherwise."""

MIB = 1 << 20
FRAME_LIMIT = MIB  # YEA 2.1: no frame may be longer
LINE_CAP = FRAME_LIMIT + 64 * 1024  # what is kept of a line; the rest is read away
CONNECTION_CAP = 64 * MIB  # bytes read from one connection before it is given up
FRAMES_CAP = 10_000  # frames read from one connection before it is given up
JUNK_CAP = 1_000  # lines that are no frames, read from one connection before it is given up
HELD_CAP = 120 * MIB  # bytes, as estimated, that all frames which are still held may need; see `harness.held`
PAGE_CAP = 2 * MIB  # bytes of a plain HTTP answer that are kept
IN_FLIGHT = 8  # requests at once on one connection
TRANSCRIPT_EVENTS = 60  # exchanges kept for a report row
TRANSCRIPT_TEXT = 4_000  # characters kept of one frame
