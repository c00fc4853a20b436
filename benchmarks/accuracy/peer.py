"""The pipelines of scikit-learn; also a program that fits one on a CSV file: `peer.py KIND TARGET TRAINING TEST`.

It imports only what a user of LogisticRegression needs, because its whole process is timed.
"""

import sys
from typing import Any

import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler


def pipeline(model: Any, kind: str) -> Any:
    """The usual pipeline: impute, encode and standardise tables; words and pairs of words of texts, tf-idf."""
    if kind == "text":
        words = make_column_transformer((TfidfVectorizer(ngram_range=(1, 2)), lambda frame: frame.columns[0]))
        return make_pipeline(words, model)
    numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    categories = make_pipeline(
        SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    )
    columns = make_column_transformer(
        (numbers, make_column_selector(dtype_include="number")),
        (categories, make_column_selector(dtype_exclude="number")),
    )
    return make_pipeline(columns, model)


def main(kind: str, target: str, training: str, test: str) -> None:
    """Prints the accuracy on the test file."""
    A, B = (pd.read_csv(path) for path in (training, test))
    model = pipeline(LogisticRegression(max_iter=1000), kind).fit(A.drop(columns=target), A[target])
    print(model.score(B.drop(columns=target), B[target]))


if __name__ == "__main__":
    main(*sys.argv[1:])
