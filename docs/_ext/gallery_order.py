"""The order in which the gallery is read."""

from sphinx_gallery.sorting import FileNameSortKey

ORDER = (
    "first_steps",
    "worked_example",
    "dialects",
    "mistake_bound",
    "stopping_short",
    "certificates",
    "logistic_regression",
    "cycles",
    "pocket",
    "voted_digits",
    "many_classes",
    "threshold_logic",
    "xor_three_ways",
    "kernel_spirals",
    "text",
    "streaming",
    "dask",
    "model_file",
)


class InReadingOrder(FileNameSortKey):
    """Sorts by `ORDER`; all other files come last, by name."""

    def __call__(self, filename: str) -> tuple[int, str]:  # type: ignore[override]  # sorted by it, as by any key
        name = filename.removeprefix("plot_").removesuffix(".py")
        return (ORDER.index(name) if name in ORDER else len(ORDER), name)
