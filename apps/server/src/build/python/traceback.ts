/** What a Python program prints when it ends with an error. */
export type Traceback = {
  /** The files of the project, the outermost call first. */
  ownFiles: string[];
  /** Whether the error was raised by the project, not by a package or by Python. */
  isRaisedByProject: boolean;
  /** The line with the kind of the error. */
  error: string;
};

const FRAME = /^\s*File "([^"]+)", line \d+/;
const ERROR = /^[A-Za-z_][\w.]*(?:Error|Exception|Warning|Exit|Interrupt|Configured)\b/;
/** Of packages, of Python itself, and of its import system. */
const FOREIGN = /\/(?:site|dist)-packages\/|\/lib\/python3|^</;

/** The last one in the lines of an app. */
export function lastTraceback(lines: readonly string[]): Traceback | undefined {
  const end = lines.findLastIndex((line) => ERROR.test(line));
  const error = lines[end];
  if (error === undefined) return undefined;
  const start = lines.findLastIndex((line, at) => at < end && /^Traceback \(/.test(line));
  const frames = lines.slice(start + 1, end).flatMap((line) => FRAME.exec(line)?.[1] ?? []);
  const last = frames.at(-1);
  if (last === undefined) return undefined;
  const isOwn = (file: string) => !FOREIGN.test(file);
  return { ownFiles: frames.filter(isOwn), isRaisedByProject: isOwn(last), error };
}
