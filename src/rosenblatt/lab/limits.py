"""Limits on the size of requests and on the time of every operation."""

MAX_POINTS = 10_000
MAX_KERNEL_POINTS = 1_000  # for a kernel, whose work grows with the square of their number
MAX_GRAM_POINTS = 200  # for which the Gram matrix is sent to the page
MAX_CLASSES = 8
MAX_STEPS = 200_000  # examples presented in one binary problem
MAX_COLUMNS = 2_000
MAX_VALUES = 500_000  # of a table; up to this size a run uses all columns, beyond it only the two that are shown
PROOF_WORK = 2e9  # budget of one proof in units of `separability`, 1 to 2 seconds; beyond it the answer is undecided

MAX_CONNECTIONS = 128  # open at once; beyond it, the connection that has been idle longest is closed
HEAD_SECONDS = 10.0  # to receive the head of a request, from the connection or from the end of the last answer
STALL_SECONDS = 10.0  # until a connection is closed whose client does not read its answer
MAX_BODY = 4 << 20  # bytes of the body of a request
BODY_SECONDS = 10.0  # to receive the body

MAX_WAITING = 32  # pending requests
WAIT_SECONDS = 180.0  # to wait for the tab's previous job and a free worker
START_SECONDS = 60.0  # for a worker process to be ready for jobs
JOB_SECONDS = 20.0  # for a job, from its start in a worker
HOLD_SECONDS = 120.0  # added to JOB_SECONDS once, while a worker is still importing scikit-learn
GRACE_SECONDS = 0.5  # for a cancelled job to complete, before its worker is ended
END_SECONDS = 5.0  # for a worker process to exit after it was killed or crashed
KERNEL_SECONDS = 120.0  # for a notebook's kernel to answer its widget, and between two progress messages
