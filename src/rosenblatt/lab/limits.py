"""How much one page may ask for, and how long anything may take. Generous for a class, harmless for the machine."""

MAX_POINTS = 10_000
MAX_CLASSES = 8
MAX_STEPS = 200_000  # examples presented in one binary problem
MAX_COLUMNS = 2_000
PROOF_WORK = 2e9  # of one proof, in the prover's units: a second or two, and then it is undecided

MAX_CONNECTIONS = 128  # open at once; the one that has been idle longest makes room for the next
HEAD_SECONDS = 10.0  # to receive the head of a request, once connected or once the last answer has been sent
STALL_SECONDS = 10.0  # for a client that reads nothing of its answer
MAX_BODY = 4 << 20  # bytes of one request
BODY_SECONDS = 10.0  # to receive it

MAX_WAITING = 32  # requests in hand at once
WAIT_SECONDS = 180.0  # for the tab's turn and a free worker
START_SECONDS = 60.0  # for a worker process to be ready for jobs
JOB_SECONDS = 20.0  # to answer a request, once it runs
HOLD_SECONDS = 120.0  # more, once, for a worker that is still importing
GRACE_SECONDS = 0.5  # for a job whose tab has gone, before its worker is ended
END_SECONDS = 5.0  # for a worker process to be gone, once it was killed or died
KERNEL_SECONDS = 120.0  # for a notebook's kernel to answer its widget, and from one word on progress to the next
