"""The run over all shards: its state after each epoch, the mixing of weights, checkpoints, fitted attributes."""
