"""What holds for all tests."""

import signal
import threading

# A shell that starts a job in the background lets it ignore SIGINT, and children would inherit that: then no test
# could interrupt one.
if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
