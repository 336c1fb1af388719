import { beforeEach } from 'vitest';
import { outputsOfServers } from './longshore.ts';

const ERROR_LEVEL = 50;
const MAX_ERRORS = 10;
const MAX_LENGTH = 600;

type LogEntry = { level: number; time: string; msg: string; err?: { message: string } };

/** The last errors in the logs of servers, each as one short line. */
export function lastErrors(outputs: string[]): string[] {
  const lines = outputs.flatMap((output) => output.split('\n'));
  return lines.flatMap(errorOf).slice(-MAX_ERRORS);
}

function errorOf(line: string): string[] {
  if (!line.startsWith('{')) return [];
  try {
    const { level, time, msg, err }: LogEntry = JSON.parse(line);
    if (!(level >= ERROR_LEVEL)) return [];
    const text = `${time} ${msg}: ${err?.message ?? ''}`.replace(/\s+/g, ' ');
    return [text.slice(0, MAX_LENGTH)];
  } catch {
    // Printed by something else, or cut off by a kill.
    return [];
  }
}

beforeEach(({ onTestFailed }) => {
  onTestFailed(() => {
    const errors = lastErrors(outputsOfServers());
    if (errors.length > 0) console.error(['Errors of the server:', ...errors].join('\n  '));
  });
});
