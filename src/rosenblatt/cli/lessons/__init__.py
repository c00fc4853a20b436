"""The commands for lectures: runs step by step, animations, exercises, Boolean functions, the lab."""
