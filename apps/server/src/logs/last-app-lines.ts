import { logSourceOf } from '@longshore/contract';
import type { LogStore } from './log-store.ts';

const LINES = 10;
/** An app that prints little may stand behind a long build. */
const LOOK_BACK_LINES = 200;

/** The newest lines the app itself printed, as evidence of why it stopped. */
export async function lastAppLines(
  logs: Pick<LogStore, 'tail'>,
  appId: string,
  signal: AbortSignal,
): Promise<string[]> {
  const records = await logs.tail(appId, LOOK_BACK_LINES, signal);
  const own = records.filter((record) => logSourceOf(record.name) === 'app');
  return own.slice(-LINES).map((record) => record.text);
}
