"""How `__init__` of an estimator keeps its arguments."""


class StoredParameters:
    """Mixin: keeps the arguments of `__init__` as attributes, as scikit-learn requires."""

    def _store(self, arguments: dict[str, object]) -> None:
        """Sets each argument of `__init__` (its `locals()`) under its name, unchanged."""
        self.__dict__.update((name, value) for name, value in arguments.items() if name != "self")
