"""Wire drivers, one per transport, with one interface (`base`)."""
