"""A budget of work, counted in operations instead of seconds: an input gives the same answer on every machine."""


class OutOfBudgetError(Exception):
    """The budget ran out before a proof was found."""


class Budget:
    """A limit on touched values: one number of X or of a working set, read or updated once; None is no limit.

    Exact arithmetic is charged by its operations and the length of its numbers, so that a unit takes about the same
    time everywhere: some 10⁹ units a second.
    """

    def __init__(self, limit: float | None = None) -> None:
        if limit is not None and not limit > 0:
            raise ValueError(
                f"budget is {limit}; it must be a positive number of touched values, or None for no limit."
            )
        self.limit = limit
        self.used = 0.0

    @property
    def left(self) -> float:
        return float("inf") if self.limit is None else self.limit - self.used

    def spend(self, work: float) -> None:
        """Charges work that is about to be done; raises, and charges nothing, if less than that is left."""
        if work > self.left:
            raise OutOfBudgetError
        self.used += work

    def charge(self, work: float) -> None:
        """Charges work whose cost is known only after it is done; raises if it was more than what was left."""
        self.used += work
        if self.left < 0:
            raise OutOfBudgetError

    def extend(self, work: float) -> None:
        """Raises the limit."""
        if self.limit is not None:
            self.limit += work

    def exact_solve(self, rows: int, columns: int, bits: int) -> None:
        """Charges the elimination of an integer matrix."""
        self.spend(5.0 * rows * columns * (150 + min(rows, columns)) * (1 + bits / 64) ** 2)

    def exact_products(self, count: int, bits: int = 0) -> None:
        """Charges products of a value of X, as an integer, with a weight of `bits` bits."""
        self.spend(250.0 * count * (1 + bits / 300))
