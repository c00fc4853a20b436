"""Export of models as ONNX graphs and as C headers."""
