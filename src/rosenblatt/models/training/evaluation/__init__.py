"""The quality of a trained model: measures, thresholds, calibration and separability."""
