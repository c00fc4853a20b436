"""Options that several commands share."""

import shlex
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rosenblatt.data.bytes import FORMATS

if TYPE_CHECKING:
    from rosenblatt.data import Wishes

Command = TypeVar("Command", bound=Callable[..., Any])


def _builtin_names(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[Any]:
    """Completes @names; the shell completes files."""
    from click.shell_completion import CompletionItem

    if not incomplete.startswith("@"):
        return [CompletionItem(incomplete, type="file")]
    from rosenblatt import data

    return [CompletionItem(f"@{name}") for name in data.names() if f"@{name}".startswith(incomplete)]


def _known_name(_context: click.Context, _parameter: click.Parameter, source: str | None) -> str | None:
    """A name that no built-in set has is wrong usage, as a wrong option is."""
    if source is not None and source.startswith("@"):
        from rosenblatt import data

        if source[1:] not in data.names():
            known = ", ".join(f"@{name}" for name in data.names())
            raise click.BadParameter(f"there is no built-in data set {source!r}; there are: {known}.")
    return source


def source_argument(command: Command) -> Command:
    argument = click.argument("source", metavar="FILE|@NAME|-", shell_complete=_builtin_names, callback=_known_name)
    return argument(command)


def optional_source_argument(command: Command) -> Command:
    argument = click.argument(
        "source", metavar="[FILE|@NAME|-]", required=False, shell_complete=_builtin_names, callback=_known_name
    )
    return argument(command)


def model_argument(command: Command) -> Command:
    return click.argument("model", metavar="MODEL", type=click.Path(dir_okay=False))(command)


def json_option(command: Command) -> Command:
    return click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")(command)


_FORMAT = click.option("--format", "form", type=click.Choice(FORMATS), help="The file's format; else by name, content.")
_SQL = click.option(
    "--sql",
    metavar="QUERY",
    help="Take the rows of a query: on a DuckDB or SQLite file, or on a table, which it calls data.",
)
_TARGET = click.option("--target", metavar="COLUMN", help="The column of labels; else by its name, or the last.")
_TEXT = [
    click.option("--delimiter", metavar="CHAR", help="What separates the columns of a CSV file."),
    click.option("--no-header", is_flag=True, help="The CSV file has no header: columns are column1, column2, …"),
]
_ZERO = click.option(
    "--zero-based/--one-based", "zero_based", default=None, help="Where svmlight indices begin; else found out."
)


unseen_option = click.option(
    "--unseen",
    type=click.Choice(["error", "zero"]),
    default="error",
    show_default=True,
    help="What a category that training did not see does.",
)


def reading_options(command: Command) -> Command:
    """How to read a file for training."""
    options = [
        _FORMAT,
        _SQL,
        _TARGET,
        click.option("--drop", metavar="COLUMN", multiple=True, help="Leave a column out (repeatable)."),
        click.option(
            "--categorical", metavar="COLUMN", multiple=True, help="Take a column as categories (repeatable)."
        ),
        click.option(
            "--text", metavar="COLUMN", multiple=True, help="Take the words of a column, tf-idf (repeatable)."
        ),
        click.option(
            "--ngrams", type=click.IntRange(1, 5), default=2, show_default=True, help="Runs of words of a text."
        ),
        click.option(
            "--hash-bits",
            type=click.IntRange(1, 24),
            metavar="B",
            help="Hash texts, and categories of which there are too many, to 2^B features [texts: 18].",
        ),
        click.option("--impute", is_flag=True, help="Fill missing values: the median, or the commonest category."),
        *_TEXT,
        _ZERO,
    ]
    return _with(command, options)


def reading_like_options(command: Command) -> Command:
    """How to read a file for a model, which knows its own columns."""
    return _with(command, [_FORMAT, _SQL, _TARGET, *_TEXT, unseen_option])


def _with(command: Command, options: Sequence[Callable[[Command], Command]]) -> Command:
    for option in reversed(options):
        command = option(command)
    return command


def wishes_from(options: dict[str, Any]) -> Any:
    """The `data.Wishes` in a command's options, which are taken out of them."""
    from rosenblatt.data import Wishes

    delimiter = options.pop("delimiter", None)
    if delimiter is not None:
        delimiter = {"\\t": "\t", "tab": "\t"}.get(delimiter, delimiter)
        if len(delimiter.encode()) != 1:
            raise click.BadParameter("give one character, such as ';' or '\\t'", param_hint="--delimiter")
    return Wishes(
        form=options.pop("form", None),
        target=options.pop("target", None),
        drop=options.pop("drop", ()),
        categorical=options.pop("categorical", ()),
        impute=options.pop("impute", False),
        delimiter=delimiter,
        has_header=not options.pop("no_header", False),
        zero_based=options.pop("zero_based", None),
        unseen=options.pop("unseen", "error"),
        text=options.pop("text", ()),
        sql=options.pop("sql", None),
        ngrams=options.pop("ngrams", 2),
        hash_bits=options.pop("hash_bits", None),
    )


def check_command(source: str, wishes: "Wishes") -> str:
    """The `rosenblatt check` of the same examples, as a shell takes it; of standard input there is none."""
    if source == "-":
        return ""
    texts = {
        "--format": wishes.form,
        "--sql": wishes.sql,
        "--target": wishes.target,
        "--hash-bits": wishes.hash_bits,
        "--delimiter": wishes.delimiter,
        "--ngrams": wishes.ngrams if wishes.text else None,
    }
    words = ["rosenblatt", "check", source]
    words += [f"{name}={value}" for name, value in texts.items() if value is not None]
    for name, columns in (("--drop", wishes.drop), ("--categorical", wishes.categorical), ("--text", wishes.text)):
        words += [f"{name}={column}" for column in columns]
    words += ["--impute"] * wishes.impute + ["--no-header"] * (not wishes.has_header)
    if wishes.zero_based is not None:
        words.append("--zero-based" if wishes.zero_based else "--one-based")
    return shlex.join(words)
