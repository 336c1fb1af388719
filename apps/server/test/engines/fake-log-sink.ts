import type { LogSink } from '../../src/engines/log-sink.ts';

/** Passes lines on at once, so there is always room and nothing to store. */
export function createFakeLogSink(onLine: (text: string, name: string) => void): LogSink {
  return {
    append: (_, name, text) => onLine(text, name),
    waitForRoom: async () => {},
    flush: async () => {},
  };
}

/** The texts of a log, of lines as `[name]: text`. */
export function linesOf(logName: string, lines: string[]): string[] {
  const prefix = `[${logName}]: `;
  return lines.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length));
}
