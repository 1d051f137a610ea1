"""The version of naysayer, as installed."""

from importlib import metadata

try:
    VERSION = metadata.version("naysayer")
except metadata.PackageNotFoundError:  # run from a source tree that was never installed
    VERSION = "source"
