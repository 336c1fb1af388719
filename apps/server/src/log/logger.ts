import { type Logger as Pino, pino, symbols } from 'pino';
import type { Clock } from '../clock.ts';
import { batchLines } from './batched-lines.ts';
import { readableLine } from './readable-line.ts';

type Output = { isTTY?: boolean; write(text: string): unknown };

type LoggerDeps = { level: string; output: Output; clock: Omit<Clock, 'now'> };

export type Logger = {
  log: Pino;
  /** For the lines of requests, of which there are many. What they say is ours, so nothing has to be hidden. */
  requests: Pino;
  /** Writes at once what waits to be written. */
  flush(): void;
};

const INFO = 30;

/** JSON lines for machines, one short line each for a person at a terminal. */
export function createLogger({ level, output, clock }: LoggerDeps): Logger {
  const lines = batchLines({ write: (text) => output.write(text), clock });
  const destination = {
    [symbols.needsMetadataGsym]: true,
    lastLevel: INFO,
    write(line: string) {
      lines.add(output.isTTY ? `${readableLine(JSON.parse(line))}\n` : line);
      // A person watches, or something went wrong and the next line may not come.
      if (output.isTTY || destination.lastLevel > INFO) lines.flush();
    },
  };
  const log = pino(
    { level, base: null, redact: REDACTED, timestamp: pino.stdTimeFunctions.isoTime },
    destination,
  );
  return { log, requests: log.child({}, { redact: [] }), flush: lines.flush };
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
