"""The model: a design, an outcome, fixed effects, and the system of inequalities that they give."""
