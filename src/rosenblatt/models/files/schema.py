"""The JSON Schema of a model file, for programs in other languages."""

from dataclasses import fields
from typing import Any, get_args

from rosenblatt.data.columns.dates import PARTS, Order
from rosenblatt.data.columns.number_text import MAX_UNIT
from rosenblatt.data.features import MAX_BITS, MAX_NGRAMS
from rosenblatt.learning.pairs.pair_weights import PairWeights
from rosenblatt.models.files.registry import KINDS

_TYPES = ["float64", "float32", "int64", "int32", "uint32", "uint64", "uint8", "bool", "text"]


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of model file versions 1 to 4.

    Examples
    --------
    >>> from rosenblatt import models
    >>> models.json_schema()["title"]
    'rosenblatt model'
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "rosenblatt model",
        "description": "A fitted model. Version 1 has large arrays in a safetensors file beside the document.",
        "type": "object",
        "required": ["format", "version", "estimator", "parameters", "features", "training", "fitted", "checksum"],
        "properties": {
            "format": {"const": "rosenblatt model"},
            "version": {"enum": [1, 2, 3, 4]},
            "written_by": {"type": "string"},
            "estimator": {"enum": list(KINDS)},
            "parameters": {"type": "object", "additionalProperties": {"$ref": "#/$defs/value"}},
            "features": {"$ref": "#/$defs/features"},
            "training": {
                "type": "object",
                "properties": {
                    "source": {"type": "string"},
                    "examples": {"type": "integer", "minimum": 0},
                    "held_out": {"type": "integer", "minimum": 0},
                    "fingerprint": {"type": "string"},
                    "chosen": {"type": "string"},
                    "streamed": {"type": "boolean"},
                },
            },
            "fitted": {
                "type": "object",
                "required": ["classes_"],
                "additionalProperties": {"$ref": "#/$defs/value"},
            },
            "calibration": _calibration(),
            "arrays": {
                "type": "object",
                "required": ["file", "sha256"],
                "properties": {
                    "file": {"type": "string", "pattern": r"^[^/\\]+\.safetensors$"},
                    "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
                },
            },
            "checksum": {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"},
        },
        "additionalProperties": False,
        "allOf": [_fitted_of(name) for name in KINDS],
        "$defs": {"value": _value(), "array": _array(), "features": _features(), "unit": _unit()},
    }


def _fitted_of(name: str) -> dict[str, Any]:
    return {
        "if": {"properties": {"estimator": {"const": name}}},
        "then": {"properties": {"fitted": {"required": list(KINDS[name].fitted)}}},
    }


def _value() -> dict[str, Any]:
    value = {"$ref": "#/$defs/value"}
    array = {"$ref": "#/$defs/array"}
    csr = ["shape", "values", "indices", "starts"]
    return {
        "anyOf": [
            {"type": ["null", "boolean", "number", "string"]},
            {"type": "array", "items": value},
            array,
            _tagged("table", {"type": "object", "additionalProperties": array}),
            _tagged("csr", {"type": "object", "required": csr, "additionalProperties": {"anyOf": [array, _SHAPE]}}),
            _tagged(
                "pairs", {"type": "array", "items": {"type": "array", "minItems": 2, "maxItems": 2, "items": value}}
            ),
            _tagged("ragged", _parts(values=array, starts=array)),
            _tagged("repeated", _parts(row=array, count={"type": "integer", "minimum": 1})),
            _tagged("updates", _parts(**{each.name: value for each in fields(PairWeights)})),
            _tagged("certificate", _certificate()),
            _tagged("circuit", {"anyOf": [{"$ref": "#/$defs/unit"}, _network()]}),
        ]
    }


_SHAPE = {"type": "array", "items": {"type": "integer", "minimum": 0}}


def _tagged(tag: str, content: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": [tag], "properties": {tag: content}, "additionalProperties": False}


def _parts(**parts: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(parts), "properties": parts, "additionalProperties": False}


def _array() -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["array", "shape"],
        "properties": {
            "array": {"enum": _TYPES},
            "shape": _SHAPE,
            "values": {"type": "array"},
            "base64": {"type": "string", "contentEncoding": "base64"},
            "tensor": {"type": "string"},
        },
        "oneOf": [{"required": ["values"]}, {"required": ["base64"]}, {"required": ["tensor"]}],
        "additionalProperties": False,
    }


def _certificate() -> dict[str, Any]:
    integers = {"type": "array", "items": {"type": "string", "pattern": "^-?([0-9]+|0x[0-9a-f]+)$"}}
    rows = {"type": "array", "items": {"type": "integer", "minimum": 0}}
    proof = {
        "anyOf": [
            {"type": "null"},
            {
                "type": "object",
                "required": ["indices", "multipliers"],
                "properties": {"indices": rows, "multipliers": integers, "basis": rows},
                "additionalProperties": False,
            },
        ]
    }
    label = {"type": ["string", "number", "boolean"]}
    properties = {
        "kind": {"enum": ["separable", "weak", "inseparable", "undecided"]},
        "separable": {"type": "boolean"},
        "fit_intercept": {"type": "boolean"},
        "positive": label,
        "negative": {"anyOf": [label, {"type": "null"}]},
        "n_examples": {"type": "integer", "minimum": 0},
        "n_features": {"type": "integer", "minimum": 0},
        "weights": {"anyOf": [integers, {"type": "null"}]},
        "witness": proof,
        "closure": proof,
        "null": {"type": "array", "items": integers},
        "left_out": rows,
    }
    return {"type": "object", "required": list(properties), "properties": properties, "additionalProperties": False}


def _calibration() -> dict[str, Any]:
    properties = {
        "slope": {"type": "number", "minimum": 0},
        "offsets": {"type": "array", "items": {"type": "number"}, "minItems": 2},
        "n_examples": {"type": "integer", "minimum": 0},
        "held_out": {"type": "string"},
    }
    return {
        "description": "The probability of class c is proportional to exp(slope * z_c + offsets[c]); z_c is its score.",
        "type": "object",
        "required": list(properties),
        "properties": properties,
        "additionalProperties": False,
    }


def _column_report() -> dict[str, Any]:
    text = {"type": "string"}
    return {
        "type": "object",
        "required": ["name", "type"],
        "properties": {
            **dict.fromkeys(("name", "type", "reading", "use", "doubt"), text),
            "misfits": {"type": "array", "items": text},
        },
        "additionalProperties": False,
    }


def _features() -> dict[str, Any]:
    numbers = {"type": "array", "items": {"type": "number"}}
    array = {"$ref": "#/$defs/array"}
    column = {
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string"},
            "vocabulary": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
            "fill": {"type": ["number", "string"]},
            "bits": {"type": "integer", "minimum": 1, "maximum": MAX_BITS},
            "ngrams": {"type": "integer", "minimum": 1, "maximum": MAX_NGRAMS},
            "buckets": array,
            "idf": array,
            "words": {"type": "object", "additionalProperties": {"type": "string"}},
            "gap": {"type": "boolean"},
            "pooled": {"type": "boolean"},
            "booleans": {"type": "boolean"},
            "number": {
                "type": "object",
                "required": ["decimal", "thousands"],
                "properties": {
                    "decimal": {"enum": [".", ","]},
                    "thousands": {"enum": ["", ",", ".", " ", "'"]},
                    "unit": {"type": "string", "minLength": 1, "maxLength": MAX_UNIT},
                },
                "additionalProperties": False,
            },
            "date": {
                "type": "object",
                "required": ["order", "parts", "origin"],
                "properties": {
                    "order": {"enum": list(get_args(Order))},
                    "parts": {"type": "array", "items": {"enum": list(PARTS)}, "minItems": 1, "uniqueItems": True},
                    "origin": {"type": "number"},
                },
                "additionalProperties": False,
            },
        },
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "required": ["kind", "n_features"],
        "properties": {
            "kind": {"enum": ["table", "svmlight", "array"]},
            "n_features": {"type": "integer", "minimum": 0},
            "target": {"type": ["string", "null"]},
            "columns": {"type": "array", "items": column},
            "report": {"type": "array", "items": _column_report()},
            "interactions": {
                "type": "array",
                "items": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
            },
            "zero_based": {"type": "boolean"},
            "scale": {
                "type": "object",
                "required": ["centre", "width"],
                "properties": {
                    "centre": {"anyOf": [numbers, array, {"type": "null"}]},
                    "width": {"anyOf": [{"type": "array", "items": {"type": "number", "exclusiveMinimum": 0}}, array]},
                },
            },
        },
        "additionalProperties": False,
    }


def _unit() -> dict[str, Any]:
    number = {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": r"^-?\d+(/\d+)?$"}]}
    return {
        "type": "object",
        "required": ["kind", "variables", "weights", "offset", "tie"],
        "properties": {
            "kind": {"const": "threshold unit"},
            "variables": {"type": "array", "items": {"type": "string"}},
            "weights": {"type": "array", "items": number},
            "offset": number,
            "tie": {"enum": ["mistake", "positive", "negative"]},
        },
    }


def _network() -> dict[str, Any]:
    unit = {"$ref": "#/$defs/unit"}
    return {
        "type": "object",
        "required": ["kind", "variables", "hidden", "output"],
        "properties": {"kind": {"const": "network"}, "hidden": {"type": "array", "items": unit}, "output": unit},
    }
