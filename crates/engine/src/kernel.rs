//! The scheduler, file by file as in kernel/sched.

pub mod config;
pub mod core;
pub mod cpupri;
pub mod double_lock;
pub mod fair;
pub mod fair_server;
pub mod frame;
pub mod idle;
pub mod irq;
pub mod kernel_work;
pub mod objects;
pub mod preempt;
pub mod prio;
pub mod rt;
pub mod rt_pull;
pub mod rt_push;
pub mod rt_throttle;
pub mod rto;
pub mod schedule;
pub mod setsched;
pub mod softirq;
pub mod syscall;
pub mod task;
pub mod wakeup;
