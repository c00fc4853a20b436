"""Saves and loads every estimator and a pipeline by `mlflow.sklearn`. `tools/mlflow` installs MLflow and runs this."""

import logging
import tempfile
from pathlib import Path

import mlflow.sklearn
import numpy as np
import skops.io
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rosenblatt
from rosenblatt import data
from tests.estimators.pickled import description, estimators


def main():
    logging.getLogger("mlflow.sklearn").setLevel(logging.ERROR)  # a warning that pickles run code, once per model
    iris = data.load("iris")
    pipeline = make_pipeline(StandardScaler(), rosenblatt.Perceptron(max_iter=20)).fit(iris.X, iris.y)
    models = {**estimators(), "pipeline": (pipeline, iris.X)}
    for name, (model, X) in models.items():
        listed = skops.io.get_untrusted_types(data=skops.io.dumps(model))
        for form, trusted in (("cloudpickle", None), ("pickle", None), ("skops", listed)):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "model"
                mlflow.sklearn.save_model(
                    model,
                    path,
                    serialization_format=form,
                    skops_trusted_types=trusted,
                    pip_requirements=[f"rosenblatt=={rosenblatt.__version__}"],
                )
                loaded = mlflow.sklearn.load_model(str(path))
                general = mlflow.pyfunc.load_model(str(path))
            if description(loaded, X) != description(model, X):
                raise SystemExit(f"{name} saved as {form} has other predictions, scores or attributes after loading.")
            if not np.array_equal(general.predict(X), model.predict(X)):
                raise SystemExit(f"{name} saved as {form} predicts otherwise by mlflow.pyfunc.")
    print(f"{len(models)} models as cloudpickle, pickle and skops by MLflow {mlflow.__version__}: all equal")


if __name__ == "__main__":
    main()
