"""
Text: which module is this sentence from?
=========================================

Words make thousands of features, nearly all of them zero in any one text. The perceptron is suited to such data: an
update changes only the weights of words in the text, and the weights can be interpreted.
"""

import inspect
import re
import warnings

import matplotlib.pyplot as plt
import numpy as np
import scipy.signal
import scipy.stats
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import train_test_split

from rosenblatt import AveragedPerceptron, Perceptron


# %%
# The corpus is available wherever this runs: the sentences of scipy's documentation, from two of its modules.
def sentences(module):
    for name in module.__all__:
        text = inspect.getdoc(getattr(module, name)) or ""
        for sentence in re.split(r"(?<=[.:])\s+", text.split("Examples\n---")[0]):
            words = re.findall(r"[a-z]{3,}", sentence.lower())
            if len(words) >= 6:
                yield " ".join(words)


signal, stats = (sorted(set(sentences(module))) for module in (scipy.signal, scipy.stats))
texts, y = [*signal, *stats], np.repeat(["signal", "stats"], [len(signal), len(stats)])
print(f"{len(signal):,} sentences about signals, {len(stats):,} about statistics")

# %%
# One feature per word. The matrix is sparse and is never converted to a dense one.
train, test, y_train, y_test = train_test_split(texts, y, test_size=0.3, random_state=0, stratify=y)
words = TfidfVectorizer(min_df=2)
X_train, X_test = words.fit_transform(train), words.transform(test)
print(f"{X_train.shape[1]:,} words, {X_train.nnz / X_train.shape[0]:.1f} of them in a sentence")

# %%
# The last weights, and the average of all weights.
warnings.simplefilter("ignore")  # the limit of ten epochs is intended
for model in (
    Perceptron(max_iter=10, class_weight="balanced"),
    AveragedPerceptron(max_iter=10, class_weight="balanced"),
):
    model.fit(X_train, y_train)
    print(f"{type(model).__name__:19} {model.score(X_test, y_test):.1%} of unseen sentences right")

# %%
# The words with the largest weights for each class.
names, weights = words.get_feature_names_out(), model.coef_[0]
order = np.argsort(weights)
shown = np.concatenate([order[:12], order[-12:]])
figure, axes = plt.subplots(figsize=(7, 5.6), layout="constrained")
axes.barh(names[shown], weights[shown], color=np.where(weights[shown] < 0, "#0072B2", "#E69F00"))
axes.axvline(0, color="black", linewidth=1)
axes.set(xlabel="weight", title="signal ← → stats")
axes.tick_params(axis="y", labelsize=8)
axes.spines[["top", "right"]].set_visible(False)
