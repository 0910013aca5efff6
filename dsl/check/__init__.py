"""Merging, resolution and type checking: from syntax trees and data to the core program."""
