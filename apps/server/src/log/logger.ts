import { type Logger as Pino, pino } from 'pino';
import type { Clock } from '../schedule/clock.ts';
import { batchLines } from './batched-lines.ts';
import { readableLine } from './readable-line.ts';

type Output = { isTTY?: boolean; write(text: string): unknown };

type LoggerDeps = { level: string; output: Output; clock: Omit<Clock, 'now'> };

export type Logger = {
  log: Pino;
  /** For request lines. There are many, so their writes are combined. They contain no secrets, so nothing is redacted. */
  requests: Pino;
  /** Writes all waiting lines now. */
  flush(): void;
};

/** Writes JSON lines, or short readable lines on a terminal. */
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

/** A second line of defence: nothing should log these fields. */
const REDACTED = [
  'password',
  'token',
  'accessToken',
  'refreshToken',
  'authorization',
  'env',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
