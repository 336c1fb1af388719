import type { Listener } from '../../processes/listeners.ts';
import { EngineFailure } from '../failure.ts';

/** How an instance ended, and what it said last. */
export function exitEvidence(
  exit: { code?: number | undefined; signal?: string | undefined } | undefined,
  lines: string[],
): string[] {
  return [exitSentence(exit), ...lines];
}

function exitSentence(
  exit: { code?: number | undefined; signal?: string | undefined } | undefined,
): string {
  if (exit?.signal !== undefined) return `Killed by ${exit.signal}`;
  if (exit?.code !== undefined) return `Exit code ${exit.code}`;
  return 'Exit code unknown: the app exited while the server was not running';
}

export type Silence = {
  port: number;
  waitedSeconds: number;
  listening: Pick<Listener, 'host' | 'port'>[];
  lines: string[];
};

/** What was expected, and what is there instead. */
export function silence({ port, waitedSeconds, listening, lines }: Silence): EngineFailure {
  const places = listening.map((listener) => `${listener.host}:${listener.port}`);
  const isElsewhere = places.length > 0 && !listening.some((listener) => listener.port === port);
  return new EngineFailure(isElsewhere ? 'listens-elsewhere' : 'port-never-answered', [
    `No connection on port ${port}, the value of PORT, within ${waitedSeconds} s`,
    places.length === 0
      ? 'The app does not listen on any port'
      : `The app listens on ${places.join(', ')}`,
    ...lines,
  ]);
}
