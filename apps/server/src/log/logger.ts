import { type Logger as Pino, pino } from 'pino';
import type { Clock } from '../schedule/clock.ts';
import { batchLines } from './batched-lines.ts';
import { readableLine } from './readable-line.ts';

type Output = { isTTY?: boolean; write(text: string): unknown };

type LoggerDeps = { level: string; output: Output; clock: Omit<Clock, 'now'> };

export type Logger = {
  log: Pino;
  /**
   * For the lines of requests. There are many, so they may wait a moment for one another; what they say is ours, so
   * nothing in them is hidden.
   */
  requests: Pino;
  /** Writes at once what waits to be written. */
  flush(): void;
};

/** JSON lines for machines, one short line each for a person at a terminal. */
export function createLogger({ level, output, clock }: LoggerDeps): Logger {
  const { add, flush } = batchLines({ write: (text) => output.write(text), clock });
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const addNow = (line: string) => {
    add(output.isTTY ? `${readableLine(JSON.parse(line))}\n` : line);
    flush();
  };
  return {
    log: pino({ ...options, redact: REDACTED }, { write: addNow }),
    requests: pino(options, { write: output.isTTY ? addNow : add }),
    flush,
  };
}

/** Nothing of ours logs these; should it happen, they stay unreadable. */
const REDACTED = [
  'password',
  'token',
  'accessToken',
  'refreshToken',
  'authorization',
  'env',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
