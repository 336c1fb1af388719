/** The code ENOSPC also says that too many files are watched, which is no matter of the disk. */
const SENTENCE = /no space left on device|disk quota exceeded/i;

/** Whether a program ended for want of room, by what it printed. */
export function saysDiskFull(output: string): boolean {
  return SENTENCE.test(output);
}
