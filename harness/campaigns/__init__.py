"""Campaigns of `naysayer fuzz`: what a shard has to do, where shards run, and what is told and kept of what they find.

A shard is a part of the examples with a seed of its own. It opens its target itself, so it can run in this process, in
another one, or on another machine.
"""
