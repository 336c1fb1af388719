const EXCERPT_LINES = 10;
/** A line of a stack trace, which programs print below the error. */
const FRAME = /^\s+at\s/;
/** npm prints it whenever it starts, about settings of other package managers. */
const UNKNOWN_SETTING = /^npm warn unknown \w+ config\b/i;

/** The last lines of a program, with the first two lines of each stack trace: with all of them the error would be left out. */
export function outputExcerpt(lines: readonly string[]): string[] {
  const isFrame = (at: number) => FRAME.test(lines[at] ?? '');
  return lines
    .filter((_, at) => !(isFrame(at) && isFrame(at - 1) && isFrame(at - 2)))
    .filter((line) => !UNKNOWN_SETTING.test(line))
    .slice(-EXCERPT_LINES);
}
