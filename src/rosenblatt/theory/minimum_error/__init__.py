"""The fewest errors of any linear classifier, with a proof."""
