// A lock's name inside a sentence.

/** "rq 3 lock"; a name that says what it is stays alone: "rto_lock". */
export function lockWords(name: string): string {
  return /lock( \d+)?$/.test(name) ? name : `${name} lock`;
}
