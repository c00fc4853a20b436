"""One-vs-one with many classes, in time and memory proportional to the examples that take part and the mistakes."""
