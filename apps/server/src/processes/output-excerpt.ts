const EXCERPT_LINES = 10;
/** A line of a stack trace, which programs print below the error. */
const FRAME = /^\s+at\s/;

/** The last lines of a program, with the first two lines of each stack trace: with all of them the error would be left out. */
export function outputExcerpt(lines: readonly string[]): string[] {
  const isFrame = (at: number) => FRAME.test(lines[at] ?? '');
  return lines
    .filter((_, at) => !(isFrame(at) && isFrame(at - 1) && isFrame(at - 2)))
    .slice(-EXCERPT_LINES);
}
