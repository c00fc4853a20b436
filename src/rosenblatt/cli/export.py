"""`rosenblatt export`: writes a model for use without Python."""

import sys

import click

from rosenblatt.cli.output.places import check_places


@click.command()
@click.argument("model", metavar="[MODEL]", required=False, type=click.Path(dir_okay=False))
@click.option("--onnx", "onnx_file", metavar="FILE", help="Write the model as ONNX (needs the extra [onnx]).")
@click.option("--c", "c_file", metavar="FILE", help="Write it as a C header: weights and a predict function.")
@click.option("--json-schema", "schema_file", metavar="FILE", help="Write the JSON Schema of model files.")
def export(model: str | None, onnx_file: str | None, c_file: str | None, schema_file: str | None) -> None:
    """Write a saved model as ONNX or as C, or the JSON Schema of model files. "-" is standard output.

    \b
    Examples:
      rosenblatt export model.json --onnx model.onnx
      rosenblatt export model.json --c model.h
      rosenblatt export --json-schema - | less
    """
    if not (onnx_file or c_file or schema_file):
        raise click.UsageError("name an output: --onnx, --c or --json-schema.")
    if model is None and (onnx_file or c_file):
        raise click.UsageError("name the model to export.")
    check_places((model,), {"--onnx": onnx_file, "--c": c_file, "--json-schema": schema_file})
    if schema_file:
        import json

        from rosenblatt.models.files.schema import json_schema

        _write(schema_file, (json.dumps(json_schema(), indent=2) + "\n").encode())
    if model is None:
        return
    from rosenblatt.models import read

    record = read(model)
    if onnx_file:
        from rosenblatt.models.export.onnx_export import to_onnx

        _write(onnx_file, to_onnx(record).SerializeToString())
    if c_file:
        from rosenblatt.models.export.c_code import c_name
        from rosenblatt.models.export.c_export import to_c

        _write(c_file, to_c(record, c_name(c_file)).encode())


def _write(place: str, content: bytes) -> None:
    if place == "-":
        sys.stdout.buffer.write(content)
        return
    from rosenblatt.whole_file import write_whole

    write_whole(place, content)
