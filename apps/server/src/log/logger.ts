import type { Clock } from '@longshore/edge-contract';
import { type Logger as Pino, pino } from 'pino';
import { type OutputFormat, paint, type Style } from '../terminal/output-format.mjs';

type LoggerDeps = {
  /** Undefined: `info` for JSON, and for text `warn`, because a person reads it. */
  level: string | undefined;
  format: OutputFormat;
  write(text: string): unknown;
  clock: Omit<Clock, 'now'>;
};

export type Logger = {
  log: Pino;
  /** For request lines. There are many, so their writes are combined. They contain no secrets, so nothing is redacted. */
  requests: Pino;
  /** Writes all waiting lines now. */
  flush(): void;
};

/** Writes JSON lines, or short readable lines as text. */
export function createLogger({ level, format, write, clock }: LoggerDeps): Logger {
  const { add, flush } = batchLines({ write, clock });
  const isText = format.kind === 'text';
  const options = {
    level: level ?? (isText ? 'warn' : 'info'),
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  const lineOptions = { isColored: isText && format.isColored, hasStack: level === 'debug' };
  const addNow = (line: string) => {
    add(isText ? `${readableLine(JSON.parse(line), lineOptions)}\n` : line);
    flush();
  };
  return {
    log: pino({ ...options, redact: REDACTED }, { write: addNow }),
    requests: pino(options, { write: isText ? addNow : add }),
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

export type LogEntry = Record<string, unknown>;

const LEVELS: Record<number, { name: string; style: Style }> = {
  20: { name: 'debug', style: 'dim' },
  30: { name: 'info', style: 'dim' },
  40: { name: 'warn', style: 'yellow' },
  50: { name: 'error', style: 'red' },
  60: { name: 'fatal', style: 'red' },
};
const LEVEL_WIDTH = 5;

type LineOptions = { isColored: boolean; hasStack: boolean };

/** A log entry as one line: time, level, message, the message of its error, and its other fields. */
export function readableLine(
  { level, time, msg, err, ...rest }: LogEntry,
  { isColored, hasStack }: LineOptions,
): string {
  const { name, style } = LEVELS[Number(level)] ?? { name: 'info', style: 'dim' };
  const details = Object.entries(rest).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const message = err === undefined ? msg : `${msg}: ${errorText(err, hasStack)}`;
  return [
    paint(String(time).slice(11, 19), 'dim', isColored),
    paint(name.padEnd(LEVEL_WIDTH), style, isColored),
    ...[String(message), ...details].map((part) => oneLine(part, hasStack)),
  ].join(' ');
}

function errorText(error: unknown, hasStack: boolean): string {
  const { message, stack } = error as { message?: string; stack?: string };
  return (hasStack ? stack : message) ?? String(error);
}

/** Control characters would let a message forge lines or colors; a stack keeps its line breaks. */
function oneLine(text: string, hasStack: boolean): string {
  const joined = hasStack ? text : text.replace(/\s*\n\s*/g, ' ');
  return joined.replace(/(?!\n)[\p{Cc}\p{Zl}\p{Zp}]/gu, '�');
}
