import { LOG_TAIL_LINES } from './constants.ts';
import { accepted, isRecord, type Parsed, refused } from './parsed.ts';

/** Spec §7, Logs service: the body of `POST /logs`. */
export type LogsRequest = {
  projectId: string;
  appId: string;
  follow: boolean;
  previous: boolean;
  tailLines: number;
};

const MAX_TAIL_LINES = 100_000;

export function parseLogsRequest(body: unknown): Parsed<LogsRequest> {
  if (!isRecord(body)) return refused('body', 'The request must be a JSON object');
  const { projectId, appId, follow = false, previous = false, tailLines = LOG_TAIL_LINES } = body;
  if (typeof projectId !== 'string') return refused('projectId', 'projectId must be text');
  if (typeof appId !== 'string') return refused('appId', 'appId must be text');
  if (typeof follow !== 'boolean') return refused('follow', 'follow must be true or false');
  if (typeof previous !== 'boolean') return refused('previous', 'previous must be true or false');
  const isCount = Number.isInteger(tailLines) && Number(tailLines) >= 0;
  if (!isCount || Number(tailLines) > MAX_TAIL_LINES) {
    return refused('tailLines', `tailLines must be a number between 0 and ${MAX_TAIL_LINES}`);
  }
  return accepted({ projectId, appId, follow, previous, tailLines: Number(tailLines) });
}
