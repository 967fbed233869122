"""W1 on SimPy's PreemptiveResource: argv = CPUs, simulated seconds. Prints {"ms", "jobs"}."""

import json
import sys
import time

import simpy

PERIODS_MS = [10, 20, 25, 40, 50, 100]
jobs = 0


def job(env, cpus, period, work):
    """One job: on a CPU until its work is done, preempted by shorter periods."""
    global jobs
    left = work
    while left > 0:
        with cpus.request(priority=period, preempt=True) as request:
            yield request
            began = env.now
            try:
                yield env.timeout(left)
                left = 0
            except simpy.Interrupt:
                left -= env.now - began
    jobs += 1


def task(env, cpus, period, work, phase):
    """Releases a job every period."""
    yield env.timeout(phase)
    while True:
        env.process(job(env, cpus, period, work))
        yield env.timeout(period)


def main():
    """Builds W1 and times its simulation."""
    count, seconds = int(sys.argv[1]), int(sys.argv[2])
    env = simpy.Environment()
    cpus = simpy.PreemptiveResource(env, capacity=count)
    for index in range(4 * count):
        period = PERIODS_MS[index % 6] * 1000
        env.process(task(env, cpus, period, period * 175 // 1000, (index * 37) % 1000 * 10))
    began = time.perf_counter()
    env.run(until=seconds * 1_000_000)
    print(json.dumps({"ms": (time.perf_counter() - began) * 1000, "jobs": jobs}))


main()
