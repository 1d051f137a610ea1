"""Bounds on everything that is read from a target: a target is hostile until proven otherwise."""

MIB = 1 << 20
FRAME_LIMIT = MIB  # YEA 2.1: no frame may be longer
LINE_CAP = FRAME_LIMIT + 64 * 1024  # what is kept of a line; the rest is read away
CONNECTION_CAP = 64 * MIB  # bytes read from one connection before it is given up
FRAMES_CAP = 20_000  # frames read from one connection before it is given up
IN_FLIGHT = 8  # requests at once on one connection
TRANSCRIPT_EVENTS = 60  # exchanges kept for a report row
TRANSCRIPT_TEXT = 4_000  # characters kept of one frame
