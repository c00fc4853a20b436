"""The run over all shards: its loop, its state after each epoch, mixing of weights, checkpoints, fitted attributes."""
