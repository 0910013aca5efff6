"""The printers of flat core: Python text and WebAssembly text, with one meaning."""
