"""Flat core: columns of integers, calls, bounded loops, return codes. Made from the core, printed
by `emit`.
"""
