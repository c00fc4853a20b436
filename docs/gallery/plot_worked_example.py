"""
A lecture's worked example, to its end
======================================

L4 starts a line at w = [−5, 0, 1], moves it once, and asks: "Does it misclassify the blue dot now? What if we update it
the same way, each time we find a misclassified point?" Here is the answer.
"""

from rosenblatt import Perceptron, conventions, data, plot, textbook

lecture = data.load("lecture4")
steps = list(textbook.online(lecture.X, lecture.y, **conventions.L4, start=[-5, 0, 1]))
for step in steps:
    verdict = "moves to" if step.mistake else "stays at"
    print(f"x = {step.x[1:]}, y = {step.y:+d}: score {step.score:5.0f}, {verdict} {step.w_after}")

# %%
# Seven mistakes, one panel each: the line before the update is dashed, the line after it solid, the example ringed.
figure = plot.trace(steps, lecture.X, lecture.y, title="L4's example, mistake by mistake")

# %%
# The compiled estimator makes the same updates. It records 16 bytes per mistake, from which any step can be
# reconstructed.
fitted = Perceptron(tie="negative", order="cyclic", record=True)
fitted.fit(lecture.X, lecture.y, coef_init=[[0, 1]], intercept_init=[-5])
print(fitted.trace_)
print([step.w_after.tolist() for step in fitted.trace_] == [step.w_after.tolist() for step in steps])
