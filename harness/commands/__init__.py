"""The subcommands of naysayer, one module each."""
