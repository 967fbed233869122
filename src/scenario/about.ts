// What schedscope is, in one sentence: on the front page, before and after the first script.

export const ABOUT =
  "schedscope simulates the Linux scheduler, event by event. Turn one kernel switch and see which task was late, and why.";
