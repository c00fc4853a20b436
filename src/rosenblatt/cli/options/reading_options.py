"""Options that several commands share."""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from rosenblatt.cli.options.option_values import Command, Options, chosen
from rosenblatt.data.formats import FORMATS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from rosenblatt.conventions import Convention
    from rosenblatt.data import ReadOptions


def _builtin_names(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    """Completes @names and leaves file names to the shell."""
    from click.shell_completion import CompletionItem

    if not incomplete.startswith("@"):
        return [CompletionItem(incomplete, type="file")]
    from rosenblatt import data

    return [CompletionItem(f"@{name}") for name in data.names() if f"@{name}".startswith(incomplete)]


def _known_name(_context: click.Context, _parameter: click.Parameter, source: str | None) -> str | None:
    """Raises `BadParameter` for an @name that is not a built-in dataset."""
    if source is not None and source.startswith("@"):
        from rosenblatt import data

        if source[1:] not in data.names():
            known = ", ".join(f"@{name}" for name in data.names())
            raise click.BadParameter(f"there is no built-in data set {source!r}; there are: {known}.")
    return source


def _several_names(context: click.Context, parameter: click.Parameter, sources: tuple[str, ...]) -> str | None:
    """Joins several names to one source, one name per line."""
    return _known_name(context, parameter, "\n".join(sources))


def sources_argument(command: Command) -> Command:
    """Adds an argument for one source, or for several files that are read as one table."""
    argument = click.argument(
        "source",
        metavar="FILE…|@NAME|-",
        nargs=-1,
        required=True,
        shell_complete=_builtin_names,
        callback=_several_names,
    )
    return argument(command)


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


def _dialect_names(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    """Completes the names of lectures and leaves file names to the shell."""
    from click.shell_completion import CompletionItem

    from rosenblatt.conventions.own_dialect import NAMES

    found = [CompletionItem(name) for name in NAMES if name.startswith(incomplete)]
    return found or [CompletionItem(incomplete, type="file")]


def _dialect(_context: click.Context, _parameter: click.Parameter, name: str | None) -> "Convention | None":
    """Finds the `Convention` by the name of a lecture or the path of a TOML file."""
    if name is None:
        return None
    from rosenblatt import conventions

    try:
        return conventions.find(name)
    except (ValueError, OSError) as error:
        raise click.BadParameter(str(error).removesuffix(".")) from error


def convention_option(default: str | None, help: str) -> Callable[[Command], Command]:
    """Adds --convention, whose value is a `conventions.Convention`."""
    return click.option(
        "--convention",
        metavar="L0|L1|L1_offset|L2|L3|L4|FILE.toml",
        default=default,
        show_default=default is not None,
        callback=_dialect,
        shell_complete=_dialect_names,
        help=help,
    )


_FORMAT = click.option("--format", "form", type=click.Choice(FORMATS), help="The file's format; else by name, content.")
_SQL = click.option(
    "--sql",
    metavar="QUERY",
    help="Take the rows of a query: on a DuckDB or SQLite file, or on a table, which it calls data.",
)
_TARGET = click.option("--target", metavar="COLUMN", help="The column of labels; else by its name, or the last.")
_DROP = click.option("--drop", metavar="COLUMN", multiple=True, help="Leave a column out (repeatable).")
_CATEGORICAL = click.option(
    "--categorical", "--category", metavar="COLUMN", multiple=True, help="Take a column as categories (repeatable)."
)
_TEXT = [
    click.option("--delimiter", metavar="CHAR", help="The sign between the columns of a CSV file; else detected."),
    click.option("--decimal", type=click.Choice([".", ","]), help="The decimal sign of numbers; else by the values."),
    click.option("--encoding", metavar="NAME", help="The encoding of a text, such as cp1252 [default: inferred]."),
    click.option(
        "--header/--no-header",
        "has_header",
        default=None,
        help="Whether a CSV file begins with names; else by its first line. Without: column1, column2, …",
    ),
]
_ZERO = click.option(
    "--zero-based/--one-based", "zero_based", default=None, help="Where svmlight indices begin; else detected."
)


unseen_option = click.option(
    "--unseen",
    type=click.Choice(["error", "zero"]),
    default="zero",
    show_default=True,
    help="What to do with a category that is not in the training data: refuse it, or ignore it.",
)


def reading_options(command: Command) -> Command:
    """Adds the options for reading a training file."""
    options = [
        _FORMAT,
        _SQL,
        _TARGET,
        click.option(
            "--lowercase-labels",
            is_flag=True,
            help="Write labels in lower case: Yes, YES and yes are then one class.",
        ),
        _DROP,
        click.option(
            "--keep", metavar="COLUMN", multiple=True, help="Use a column that looks like an id or is constant."
        ),
        click.option(
            "--number",
            metavar="COLUMN",
            multiple=True,
            help="Take a column as numbers; other values count as missing (repeatable).",
        ),
        _CATEGORICAL,
        click.option("--date", metavar="COLUMN", multiple=True, help="Take a column as dates (repeatable)."),
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
            help="Hash texts, and categories of which there are too many, to 2^B buckets "
            "[default: texts 20, categories 18].",
        ),
        click.option(
            "--interactions",
            metavar="A:B|all",
            multiple=True,
            help="Add the products of the features of two columns (repeatable), or of all pairs of few columns.",
        ),
        click.option(
            "--impute/--no-impute",
            default=True,
            help="Fill missing values with the median or the commonest category, and flag them [default: yes].",
        ),
        click.option("--pool/--no-pool", default=True, help="Give rare categories one common feature [default: yes]."),
        *_TEXT,
        _ZERO,
    ]
    return _with(command, options)


def table_options(command: Command) -> Command:
    """Adds the options for reading the raw columns of a table."""
    options = [
        _FORMAT,
        click.option("--target", metavar="COLUMN", help="The column of the outcome; else by its name, or the last."),
        _DROP,
        _CATEGORICAL,
        *_TEXT,
    ]
    return _with(command, options)


def reading_like_options(command: Command) -> Command:
    """Adds the options for reading a file for a model, which determines the columns."""
    return _with(command, [_FORMAT, _SQL, _TARGET, *_TEXT, unseen_option])


def _with(command: Command, options: Sequence[Callable[[Command], Command]]) -> Command:
    for option in reversed(options):
        command = option(command)
    return command


def read_options_from(options: Options) -> "ReadOptions":
    """The options for reading a file among those of a command."""
    from rosenblatt.data import ReadOptions

    found = chosen(ReadOptions, options)
    if found.delimiter is None:
        return found
    delimiter = {"\\t": "\t", "tab": "\t", "space": " "}.get(found.delimiter, found.delimiter)
    if len(delimiter.encode()) != 1:
        raise click.BadParameter("give one character, such as ';' or '\\t'", param_hint="--delimiter")
    return replace(found, delimiter=delimiter)


def check_command(source: str, read_options: "ReadOptions") -> str:
    """The shell command `rosenblatt check` for the same examples; empty for standard input."""
    if source == "-":
        return ""
    sources = source.split("\n")
    texts = {
        "--format": read_options.form,
        "--sql": read_options.sql,
        "--target": read_options.target,
        "--hash-bits": read_options.hash_bits,
        "--delimiter": read_options.delimiter,
        "--decimal": read_options.decimal,
        "--encoding": read_options.encoding,
        "--ngrams": read_options.ngrams if read_options.text else None,
    }
    words = ["rosenblatt", "check", *sources]
    words += [f"{name}={value}" for name, value in texts.items() if value is not None]
    for name, columns in (
        ("--drop", read_options.drop),
        ("--keep", read_options.keep),
        ("--number", read_options.number),
        ("--date", read_options.date),
        ("--categorical", read_options.categorical),
        ("--text", read_options.text),
        ("--interactions", read_options.interactions),
    ):
        words += [f"{name}={column}" for column in columns]
    words += ["--lowercase-labels"] * read_options.lowercase_labels
    words += ["--no-impute"] * (not read_options.impute) + ["--no-pool"] * (not read_options.pool)
    if read_options.has_header is not None:
        words.append("--header" if read_options.has_header else "--no-header")
    if read_options.zero_based is not None:
        words.append("--zero-based" if read_options.zero_based else "--one-based")
    return shlex.join(words)
