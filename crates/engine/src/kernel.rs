//! The scheduler, folder by folder as in kernel/sched.

/// Scheduling policies and classes, and what each class answers.
pub mod class;
/// Which kernel runs: every version and switch, in one table.
pub mod config;
/// core.c: run queues, schedule(), wake-ups, preemption, priority inheritance, idle loop, stoppers.
pub mod core;
/// The per-CPU area, around the hardware.
pub mod cpu;
/// fair.c: the fair class, its groups and their bandwidth, its server, load balancing.
pub mod fair;
/// The present work of a CPU: a stack of resumable frames.
pub mod frame;
/// hrtimers behind one one-shot device.
pub mod hrtimer;
/// Interrupts and softirqs.
pub mod irq;
/// Idle CPUs without a tick, and who balances for them.
pub mod nohz;
/// Callbacks that wait for a grace period, and where they are called.
pub mod rcu;
/// rt.c: the RT class, its push, pull and IPI chains, its throttling, root domains.
pub mod rt;
/// System calls of tasks, and writes from outside the simulation.
pub mod syscall;
