"""How much one page may ask for. Everything here is generous for a class and harmless for the machine."""

MAX_POINTS = 10_000
MAX_CLASSES = 8
MAX_STEPS = 200_000  # examples presented in one binary problem
MAX_COLUMNS = 2_000
MAX_BODY = 4 << 20  # bytes of one request
BODY_SECONDS = 10.0  # to receive it
JOB_SECONDS = 20.0  # to answer it, once it runs
HOLD_SECONDS = 120.0  # more, once, for a worker that is still starting
GRACE_SECONDS = 0.5  # for a job whose tab has gone, before its worker is ended
MAX_WAITING = 32  # requests in hand at once
