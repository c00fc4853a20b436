"""The widest margin between two classes, exactly."""
