import { type Logger, pino } from 'pino';
import { readableLine } from './readable-line.ts';

type Output = { isTTY?: boolean; write(text: string): unknown };

/** JSON lines for machines, one short line each for a person at a terminal. */
export function createLogger(level: string, output: Output): Logger {
  const write = output.isTTY
    ? (line: string) => output.write(`${readableLine(JSON.parse(line))}\n`)
    : (line: string) => output.write(line);
  return pino(
    { level, base: null, redact: REDACTED, timestamp: pino.stdTimeFunctions.isoTime },
    { write },
  );
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
