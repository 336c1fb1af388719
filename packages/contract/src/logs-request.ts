import { LOG_TAIL_LINES } from './constants.ts';
import type { LogSource } from './log-line.ts';
import { accepted, isRecord, type Parsed, refused } from './parsed.ts';

/** Spec §7, Logs service: the body of `POST /logs`. */
export type LogsRequest = {
  projectId: string;
  appId: string;
  follow: boolean;
  previous: boolean;
  tailLines: number;
  /** Not in the specification: only lines of instances, or only of builds. */
  kind?: LogSource | undefined;
  /** … only lines of the build of this release. */
  release?: number | undefined;
  /** … the lines after this number, however many, in place of the last ones. */
  after?: number | undefined;
};

const MAX_TAIL_LINES = 100_000;

export function parseLogsRequest(body: unknown): Parsed<LogsRequest> {
  if (!isRecord(body)) return refused('body', 'The request must be a JSON object');
  const { projectId, appId, follow = false, previous = false, tailLines = LOG_TAIL_LINES } = body;
  if (typeof projectId !== 'string') return refused('projectId', 'projectId must be text');
  if (typeof appId !== 'string') return refused('appId', 'appId must be text');
  if (typeof follow !== 'boolean') return refused('follow', 'follow must be true or false');
  if (typeof previous !== 'boolean') return refused('previous', 'previous must be true or false');
  if (!isNumber(tailLines, 0, MAX_TAIL_LINES)) {
    return refused('tailLines', `tailLines must be a number between 0 and ${MAX_TAIL_LINES}`);
  }
  const { kind, release, after } = body;
  if (kind !== undefined && kind !== 'app' && kind !== 'build') {
    return refused('kind', 'kind must be app or build');
  }
  if (release !== undefined && !isNumber(release, 1)) {
    return refused('release', 'release must be the number of a release');
  }
  if (after !== undefined && !isNumber(after, 0)) {
    return refused('after', 'after must be the number of a line');
  }
  return accepted({ projectId, appId, follow, previous, tailLines, kind, release, after });
}

function isNumber(value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): value is number {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
}
