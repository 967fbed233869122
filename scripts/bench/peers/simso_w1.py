"""W1 on SimSo's global rate-monotonic scheduler: argv = CPUs, simulated seconds. Prints {"ms", "jobs"}."""

import json
import sys
import time

from simso.configuration import Configuration
from simso.core import Model

PERIODS_MS = [10, 20, 25, 40, 50, 100]


def main():
    """Builds W1 and times its simulation."""
    count, seconds = int(sys.argv[1]), int(sys.argv[2])
    configuration = Configuration()
    configuration.cycles_per_ms = 1000
    configuration.duration = seconds * 1000 * configuration.cycles_per_ms
    for index in range(4 * count):
        period = PERIODS_MS[index % 6]
        phase = (index * 37) % 1000 / 100
        configuration.add_task(f"t{index}", index + 1, period=period, activation_date=phase, wcet=0.175 * period, deadline=period)
    for cpu in range(count):
        configuration.add_processor(f"cpu{cpu}", cpu + 1)
    configuration.scheduler_info.clas = "simso.schedulers.RM"
    model = Model(configuration)
    began = time.perf_counter()
    model.run_model()
    ms = (time.perf_counter() - began) * 1000
    jobs = sum(1 for task in model.results.tasks.values() for job in task.jobs if job.end_date is not None)
    print(json.dumps({"ms": ms, "jobs": jobs}))


main()
