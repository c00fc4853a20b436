"""The long form of the fault tests: `python -m tests.distributed.endure [KILLS]`, some minutes for 30.

Runs fits on two worker processes and kills one of them (SIGKILL) at random moments of each run, until so many are
dead. Every run must end with the weights, the history and the counts of an undisturbed one, bit for bit.
"""

import sys
from typing import Any

from rosenblatt.distributed import DaskAveragedPerceptron
from rosenblatt.distributed.cluster.engine import Cluster
from tests.distributed.clusters import Killer, local_cluster, slow_examples

SHARDS, EPOCHS = 4, 30


def run(client: Any, seconds: float) -> Any:
    estimator = DaskAveragedPerceptron(max_iter=EPOCHS, timeout=120, retries=20)
    cluster = Cluster(client, estimator.timeout)
    make = lambda: [cluster.submit(slow_examples, i, seconds) for i in range(SHARDS)]  # noqa: E731
    estimator._fit_blocks(cluster, make, None, None)
    return estimator


def main(kills: int) -> int:
    killed = runs = 0
    with local_cluster(2) as client:
        calm = run(client, 0.1)
    while killed < kills:
        with local_cluster(2) as client:
            whole = True
            while whole and killed < kills:
                killer = Killer(client, 2.0, seed=runs)
                killer.start()
                hurt = run(client, 0.1)
                killed, runs = killed + killer.stop(), runs + 1
                same = (
                    hurt.coef_.tobytes() == calm.coef_.tobytes()
                    and hurt.history_.tobytes() == calm.history_.tobytes()
                    and hurt.n_mistakes_ == calm.n_mistakes_
                )
                print(f"run {runs}: {killed} workers killed so far, {'equal' if same else 'DIFFERENT'}", flush=True)
                if not same:
                    return 1
                whole = both_back(client)
    print(f"{killed} workers killed in {runs} runs of {SHARDS} shards and {EPOCHS} epochs: nothing lost, equal weights")
    return 0


def both_back(client: Any) -> bool:
    """Whether two workers are there again; a nanny whose worker died while it started may have given up."""
    try:
        client.wait_for_workers(2, timeout=20)
    except TimeoutError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 30))
