import { LOG_TAIL_LINES } from './constants.ts';
import type { LogSource } from './log-line.ts';
import { invalid, type Parsed, valid } from './parsed.ts';
import { isRecord } from './type-guards.ts';

/** Body of `POST /logs` (spec-map 7.6). The optional fields are not in the specification. */
export type LogsRequest = {
  projectId: string;
  appId: string;
  follow: boolean;
  previous: boolean;
  tailLines: number;
  /** Only lines of instances, or only lines of builds. */
  kind?: LogSource | undefined;
  /** Only lines of the build of this release. */
  release?: number | undefined;
  /** All lines after this sequence number, instead of the last `tailLines`. */
  after?: number | undefined;
};

const MAX_TAIL_LINES = 100_000;

export function parseLogsRequest(body: unknown): Parsed<LogsRequest> {
  if (!isRecord(body)) return invalid('body', 'The request must be a JSON object');
  const { projectId, appId, follow = false, previous = false, tailLines = LOG_TAIL_LINES } = body;
  if (typeof projectId !== 'string') return invalid('projectId', 'projectId must be a string');
  if (typeof appId !== 'string') return invalid('appId', 'appId must be a string');
  if (typeof follow !== 'boolean') return invalid('follow', 'follow must be true or false');
  if (typeof previous !== 'boolean') return invalid('previous', 'previous must be true or false');
  if (!isIntegerBetween(tailLines, 0, MAX_TAIL_LINES)) {
    return invalid('tailLines', `tailLines must be a number between 0 and ${MAX_TAIL_LINES}`);
  }
  const { kind, release, after } = body;
  if (kind !== undefined && kind !== 'app' && kind !== 'build') {
    return invalid('kind', 'kind must be app or build');
  }
  if (release !== undefined && !isIntegerBetween(release, 1)) {
    return invalid('release', 'release must be a release number');
  }
  if (after !== undefined && !isIntegerBetween(after, 0)) {
    return invalid('after', 'after must be a line number');
  }
  return valid({ projectId, appId, follow, previous, tailLines, kind, release, after });
}

function isIntegerBetween(
  value: unknown,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): value is number {
  return Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
}
