"""Mistake bounds, the inequalities behind them, and cycles."""
