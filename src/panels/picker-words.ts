// What people call the things that the scenarios tell of by the kernel's names.

/** Somebody who types a word of the first list means one of the second. Beginnings of words, in small letters. */
export const MEANT: readonly (readonly [typed: readonly string[], means: readonly string[]])[] = [
  [
    ["pod", "container", "docker", "kubernetes", "k8s", "cgroup"],
    ["container", "cgroup", "quota"],
  ],
  [
    ["limit", "cap", "capped", "throttl"],
    ["quota", "throttl", "cpu.max"],
  ],
  [
    ["isolat", "isolcpus", "dedicated", "noise", "undisturbed"],
    ["quiet", "disturb", "nohz_full", "isolat"],
  ],
  [
    ["jitter", "hiccup", "spike", "stutter"],
    ["disturb", "late", "interrupts it"],
  ],
  [
    ["slow", "sluggish", "lag", "respon", "p99", "p95", "tail"],
    ["late", "times as long", "answer"],
  ],
  [
    ["low", "underused", "unused"],
    ["half", "average", "unused"],
  ],
  [
    ["stuck", "hang", "hung", "freez", "frozen", "lockup"],
    ["lock up", "locked up", "for ever", "live-lock"],
  ],
  [["starv"], ["for ever", "never runs", "strongest"]],
  [
    ["realtime", "real-time"],
    ["real-time", "fifo", "rt"],
  ],
  [["spinlock", "contention", "contended"], ["lock"]],
  [
    ["build", "compile", "make"],
    ["kernbench", "make"],
  ],
  [
    ["vm", "virtual", "guest", "cloud"],
    ["virtual", "halt"],
  ],
];

/** Words of a question that say nothing of what it is about. */
export const IDLE_WORDS: ReadonlySet<string> = new Set(
  "a above after although an and are at be because before below but by can do does for from has have how i if in into is it its just me my no not of on only or our over should so than that the their then there this to under was we what when where which while who why will with would you your".split(
    " ",
  ),
);

/** Offered where nothing was found. */
export const TOPICS = ["quota", "latency", "preempt", "nohz_full", "idle", "real-time", "lock", "interrupt"] as const;
