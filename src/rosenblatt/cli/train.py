"""`rosenblatt train`: data in, a fitted perceptron and its report out."""

import click


@click.command()
@click.argument("source", metavar="@NAME")
@click.option(
    "--convention", type=click.Choice(["L0", "L1", "L1_offset", "L2", "L3", "L4"]), help="A lecture's dialect."
)
@click.option("--max-iter", type=click.IntRange(min=1), help="At most this many epochs.")
@click.option(
    "--random-state", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of orders and starts."
)
def train(source: str, convention: str | None, max_iter: int | None, random_state: int) -> None:
    """Train a perceptron on a built-in data set and say how it ended.

    \b
    Example:
      rosenblatt train @iris
    """
    import warnings

    from sklearn.exceptions import ConvergenceWarning

    from rosenblatt import Perceptron, conventions, data

    if not source.startswith("@"):
        raise click.BadParameter("give the name of a built-in data set, such as @iris", param_hint="SOURCE")
    try:
        dataset = data.load(source[1:])
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="SOURCE") from error
    chosen = dict(getattr(conventions, convention)) if convention else {}
    estimator = Perceptron(**chosen, max_iter=max_iter, random_state=random_state)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the report says it
        estimator.fit(dataset.X, dataset.y)
    click.echo(f"@{dataset.name}: {dataset.description}\n")
    click.echo(estimator.report(dataset.feature_names))
    click.echo(f"  accuracy   {estimator.score(dataset.X, dataset.y):.2%} of the training examples")
