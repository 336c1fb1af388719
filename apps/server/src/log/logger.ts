import { type Logger as Pino, pino } from 'pino';
import type { Clock } from '../schedule/clock.ts';

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

type BatchOptions = { write: (text: string) => unknown; clock: LoggerDeps['clock'] };

type BatchedLines = {
  add(line: string): void;
  /** Writes all waiting lines now. */
  flush(): void;
};

const MAX_WAIT_MS = 100;
const MAX_BATCH_LENGTH = 16_384;

/** Combines lines into fewer writes: a write per line costs as much as the rest of a small response. */
function batchLines({ write, clock }: BatchOptions): BatchedLines {
  let waiting = '';
  let timer: unknown;
  return {
    add(line) {
      waiting += line;
      if (waiting.length >= MAX_BATCH_LENGTH) flush();
      else timer ??= clock.setTimeout(flush, MAX_WAIT_MS);
    },
    flush,
  };

  function flush(): void {
    clock.clearTimeout(timer);
    timer = undefined;
    const text = waiting;
    waiting = '';
    if (text !== '') write(text);
  }
}

type LogEntry = Record<string, unknown>;

const LEVELS: Record<number, string> = {
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/** A log entry for a terminal: time, level, message, and its other fields. */
function readableLine({ level, time, msg, err, ...rest }: LogEntry): string {
  const clock = String(time).slice(11, 19);
  const details = Object.entries(rest).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const error = err === undefined ? [] : [(err as { stack?: string }).stack ?? String(err)];
  return [clock, LEVELS[Number(level)] ?? 'info', msg, ...details, ...error].join(' ');
}
