"""`rosenblatt boolean`: the threshold unit or network of a Boolean function."""

from typing import TYPE_CHECKING

import click

from rosenblatt.cli.options.reading_options import json_option
from rosenblatt.cli.output.places import check_places

if TYPE_CHECKING:
    from rosenblatt.boolean import BooleanFunction


@click.command()
@click.argument("expression")
@click.option("--network", "draw_file", metavar="FILE", help="Draw the network of units (.svg).")
@click.option("-o", "--output", metavar="MODEL", help="Save the unit, or the network where there is none.")
@json_option
def boolean(expression: str, draw_file: str | None, output: str | None, as_json: bool) -> None:
    """Find the threshold unit that computes a Boolean function; or the proof that there is none, and a network.

    Operators: and or not xor -> <->, majority(a, b, c), atleast(2, a, b, c); 0 and 1.

    \b
    Examples:
      rosenblatt boolean "a and (b or not c)"
      rosenblatt boolean "majority(a, b, c)" --json
      rosenblatt boolean "a xor b" --network xor.svg -o xor.json
    """
    check_places((), {"--network": draw_file, "-o": output})

    from rosenblatt.boolean import BooleanFunction, ExpressionError
    from rosenblatt.cli.output.printing import echo, print_json

    try:
        function = BooleanFunction(expression)
    except ExpressionError as error:
        raise click.ClickException(str(error)) from error
    if draw_file:
        from rosenblatt.whole_file import write_whole

        write_whole(draw_file, function.network().to_svg().encode())
    if output:
        from rosenblatt.models import save

        save(function.perceptron() if function.is_threshold else function.network(), output)
    if as_json:
        print_json(_as_dict(function))
    else:
        echo("\n".join(_in_words(function)))


def _as_dict(function: "BooleanFunction") -> dict[str, object]:
    answer: dict[str, object] = {"function": function.to_dict(), "is_threshold": function.is_threshold}
    if function.is_threshold:
        answer["unit"] = function.perceptron().to_dict()
    elif function.refutation is not None:
        answer["refutation"] = function.refutation.to_dict()
    return answer | {"network": function.network().to_dict()}


def _in_words(function: "BooleanFunction") -> list[str]:
    from rosenblatt.cli.output.printing import counted

    lines = [f"variables  {', '.join(function.variables)}", f"table      {function.bits}"]
    if function.is_threshold:
        unit = function.perceptron()
        lines.append(f"unit       {unit}")
        for tie in ("mistake", "positive", "negative"):
            lines.append(f"offset     {unit.offset_range(tie)} where a score of zero is {_TIES[tie]}")
    else:
        lines.append(f"unit       none: {function.refutation}")
    network = function.network()
    lines.append(f"network    {counted(network.n_hidden, 'hidden unit')}")
    return lines


_TIES = {"mistake": "always wrong", "positive": "a yes", "negative": "a no"}
