"""`rosenblatt completion`: the shell script that completes commands, options and @names."""

import click


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script of a shell.

    \b
    Example:
      rosenblatt completion bash > ~/.local/share/bash-completion/completions/rosenblatt
    """
    from click.shell_completion import get_completion_class

    from rosenblatt.cli import main

    made = get_completion_class(shell)
    if made is None:
        raise click.UsageError(f"there is no completion for {shell}.")
    click.echo(made(main, {}, "rosenblatt", "_ROSENBLATT_COMPLETE").source())
