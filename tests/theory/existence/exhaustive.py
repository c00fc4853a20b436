"""Whether a test runs in its long form: `tools/exhaustive` asks for it."""

import os

EXHAUSTIVE = bool(os.environ.get("ROSENBLATT_EXHAUSTIVE"))
