//! When to start another process for calls that wait: the rule, without clocks and processes, so that it can be tested.
//!
//! A start costs tens of milliseconds of processor time and tens of megabytes, and is worth it only if calls would
//! otherwise wait longer than it takes. Two measures tell:
//! - *stalled*: no process has come free for as long as a start takes;
//! - *slow*: they come free, but at their present pace the queue would need several more starts' time.
//!
//! Either counts only once a call has really waited for as long as a start takes, since the last process became ready. Then as many are started as there are
//! already, so that many slow calls get their processes within a few doublings, and a first call that is slow only because
//! it is the first costs one process too many and not fifteen.

use std::time::{Duration, Instant};

/// Starts are not measured reliably below this, and a call that waits less has not waited.
const SHORTEST_START: Duration = Duration::from_millis(50);
/// What a start is taken to need before the first has been measured.
const ASSUMED_START: Duration = Duration::from_millis(250);
/// How many starts' time a moving queue must still need.
const PATIENCE: u32 = 4;

/// The measures of one script.
#[derive(Debug)]
pub(super) struct Pace {
    start: Option<Duration>,
    /// Between two times that a process came free while calls waited; a moving average.
    interval: Duration,
    last_free: Instant,
    last_start: Instant,
}

/// The queue and the processes at a moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Situation {
    pub(super) waiting: usize,
    pub(super) longest_wait: Duration,
    pub(super) processes: usize,
    pub(super) starting: usize,
    pub(super) most_processes: usize,
}

impl Pace {
    pub(super) fn new(now: Instant) -> Self {
        Self { start: None, interval: Duration::ZERO, last_free: now, last_start: now }
    }

    /// What a start takes.
    pub(super) fn start(&self) -> Duration {
        self.start.unwrap_or(ASSUMED_START).max(SHORTEST_START)
    }

    /// A process has become ready.
    pub(super) fn started(&mut self, took: Duration, now: Instant) {
        self.start = Some(self.start.map_or(took, |start| (start * 3 + took) / 4));
        self.last_free = now;
        self.last_start = now;
    }

    /// A call has ended.
    pub(super) fn freed(&mut self, calls_wait: bool, now: Instant) {
        if calls_wait {
            self.interval = (self.interval * 3 + now.duration_since(self.last_free)) / 4;
        }
        self.last_free = now;
    }

    /// How many processes to start now.
    pub(super) fn wanted(&self, situation: Situation, now: Instant) -> usize {
        let Situation { waiting, longest_wait, processes, starting, most_processes } = situation;
        let room = most_processes.saturating_sub(processes + starting);
        if waiting == 0 || starting > 0 || room == 0 {
            return 0;
        }
        if processes == 0 {
            return 1;
        }
        let start = self.start();
        // Waiting for the start itself says nothing about how fast the calls will be.
        if longest_wait.min(now.duration_since(self.last_start)) < start {
            return 0;
        }
        let stalled = now.duration_since(self.last_free) >= start;
        let left = self.interval.saturating_mul(u32::try_from(waiting).unwrap_or(u32::MAX));
        if stalled || left > start * PATIENCE { processes.min(waiting).min(room) } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// Runs calls that take `call` each, all there at the start, and returns the most processes and the time at the end.
    fn simulate(calls: usize, call: Duration, start: Duration) -> (usize, Duration) {
        let zero = Instant::now();
        let mut pace = Pace::new(zero);
        let (mut waiting, mut ends, mut ready): (usize, Vec<Duration>, Vec<Duration>) = (calls, vec![], vec![]);
        let mut processes = 0;
        for step in 0..1_000_000 {
            let time = MS * step / 10;
            let now = zero + time;
            let mut free = 0;
            ready.retain(|at| {
                let done = *at <= time;
                if done {
                    pace.started(start, now);
                    processes += 1;
                    free += 1;
                }
                !done
            });
            ends.retain(|at| {
                let done = *at <= time;
                if done {
                    pace.freed(waiting > 0, now);
                    free += 1;
                }
                !done
            });
            free += processes - free - ends.len();
            for _ in 0..free.min(waiting) {
                waiting -= 1;
                ends.push(time + call);
            }
            if waiting == 0 && ends.is_empty() {
                return (processes + ready.len(), time);
            }
            let situation =
                Situation { waiting, longest_wait: time, processes, starting: ready.len(), most_processes: 16 };
            ready.extend(vec![time + start; pace.wanted(situation, now)]);
        }
        panic!("never ended");
    }

    #[test]
    fn many_quick_calls_need_one_process() {
        assert_eq!(simulate(200, MS, MS * 60).0, 1);
        assert_eq!(simulate(10, MS * 5, MS * 60).0, 1);
    }

    #[test]
    fn slow_calls_run_side_by_side() {
        let (processes, time) = simulate(10, MS * 2000, MS * 60);
        assert_eq!(processes, 10);
        assert!(time < MS * 3000, "{time:?}");
    }

    #[test]
    fn a_long_queue_of_middling_calls_gets_more_than_one() {
        let (processes, time) = simulate(200, MS * 40, MS * 60);
        assert!((4..=16).contains(&processes), "{processes}");
        assert!(time < MS * 2500, "{time:?}");
    }

    #[test]
    fn never_more_than_the_limit_and_none_without_waiting_calls() {
        assert_eq!(simulate(1000, MS * 500, MS * 60).0, 16);
        let pace = Pace::new(Instant::now());
        let idle =
            Situation { waiting: 0, longest_wait: Duration::ZERO, processes: 0, starting: 0, most_processes: 16 };
        assert_eq!(pace.wanted(idle, Instant::now()), 0);
    }
}
