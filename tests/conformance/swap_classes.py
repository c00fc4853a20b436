"""A pytest plugin (`-p`): scikit-learn's own tests then meet the classes of `rosenblatt.compat`.

It must be loaded before the test modules, whose `from sklearn.linear_model import Perceptron` is to find the class
already swapped. A test that fits an SGDClassifier with a loss that is not covered is skipped, and says so.
"""

import pytest
import sklearn.linear_model

from rosenblatt import compat

NOT_COVERED = "is not covered by rosenblatt.compat"
check_combination = compat.SGDClassifier._check_combination


def skip_what_is_not_covered(self):
    try:
        check_combination(self)
    except ValueError as error:
        if NOT_COVERED in str(error):
            pytest.skip(str(error))
        raise


compat.SGDClassifier._check_combination = skip_what_is_not_covered
for name in compat.__all__:
    setattr(sklearn.linear_model, name, getattr(compat, name))
