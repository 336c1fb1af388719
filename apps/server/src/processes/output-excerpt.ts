const EXCERPT_LINES = 10;
/** A line of a stack trace, which programs print below the error. npm and node-gyp put their names before it. Node also lists files. */
const FRAME = /^(?:(?:npm (?:error|ERR!) )?(?:[\w-]+ ERR! stack)?\s+at\s|- \/)/;
/** A line of source code around an error, and what marks the place in the line above. */
const SOURCE_LINE = /^\s*\d+: /;
const MARK = /^\s*\^+\s*$/;
/** The import system of Python in a traceback: several lines for each import. */
const IMPORT_SYSTEM = /^\s+File "<frozen importlib\./;
/** npm prints it whenever it starts, about settings of other package managers. */
const UNKNOWN_SETTING = /^npm warn unknown \w+ config\b/i;
/** How old versions of npm begin to print, in ten lines, that a script failed. */
const FAILED_SCRIPT = 'npm ERR! code ELIFECYCLE';

/**
 * The last lines of a program, with the first two lines of each stack trace, without Python's import system, and of source
 * code only the marked line: with all of them the error would be left out.
 */
export function outputExcerpt(lines: readonly string[]): string[] {
  const isFrame = (at: number) => FRAME.test(lines[at] ?? '');
  const failed = lines.lastIndexOf(FAILED_SCRIPT);
  const isOfFailedScript = (at: number) =>
    failed !== -1 && at >= failed && lines[at]?.startsWith('npm ERR!') === true;
  return lines
    .filter(
      (_, at) => !(isFrame(at) && isFrame(at - 1) && isFrame(at - 2)) && !isOfFailedScript(at),
    )
    .filter((line, at, all) => !SOURCE_LINE.test(line) || MARK.test(all[at + 1] ?? ''))
    .filter((line) => !UNKNOWN_SETTING.test(line) && !IMPORT_SYSTEM.test(line))
    .slice(-EXCERPT_LINES);
}
