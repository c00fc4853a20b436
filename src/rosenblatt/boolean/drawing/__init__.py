"""Drawings of networks: one layout, drawn as SVG and with matplotlib."""
