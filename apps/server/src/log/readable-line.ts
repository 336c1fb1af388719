type Entry = Record<string, unknown>;

const LEVELS: Record<number, string> = {
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/** A log entry for a terminal: time, level, message, and its other fields. */
export function readableLine({ level, time, msg, err, ...rest }: Entry): string {
  const clock = String(time).slice(11, 19);
  const details = Object.entries(rest).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const error = err === undefined ? [] : [(err as { stack?: string }).stack ?? String(err)];
  return [clock, LEVELS[Number(level)] ?? 'info', msg, ...details, ...error].join(' ');
}
