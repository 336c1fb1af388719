import { LOG_TAIL_LINES } from './constants.ts';
import type { LogSource } from './log-line.ts';
import { invalid, type Parsed, valid } from './parsed.ts';
import { isRecord } from './type-guards.ts';

/** Which lines of an app. Without any field, all lines of its instances and builds. */
export type LogFilter = {
  /** Only lines of instances, only lines of builds, or the requests of visitors, which are numbered separately. */
  kind?: LogSource | undefined;
  /** Only lines of the build of this release. */
  release?: number | undefined;
  /** Only the output of this command. */
  command?: number | undefined;
  /** Only lines of the instance with this log name. */
  instance?: string | undefined;
  /** Only lines from this time on, and only lines up to that time. ISO 8601. */
  from?: string | undefined;
  to?: string | undefined;
  /** Only lines that contain this text, literally, ignoring case and colours. */
  text?: string | undefined;
};

/** Body of `POST /logs` (spec-map 7.6). The optional fields are not in the specification. */
export type LogsRequest = LogFilter & {
  projectId: string;
  appId: string;
  follow: boolean;
  previous: boolean;
  /** The number of lines before the end of the log, or before `before`. */
  tailLines: number;
  /** Only lines before this sequence number. */
  before?: number | undefined;
  /** All lines after this sequence number, instead of the last `tailLines`. */
  after?: number | undefined;
  /** At most this many lines, the oldest of those selected. */
  limit?: number | undefined;
};

/** Body of `POST /logs/search`. */
export type LogSearchRequest = LogFilter & {
  projectId: string;
  appId: string;
  text: string;
  /** Only lines before this sequence number: the `next` of the previous page. */
  before?: number | undefined;
  limit: number;
};

/** Body of `POST /logs/download` and, without the filter, of `POST /logs/kept`. */
export type LogDownloadRequest = LogFilter & { projectId: string; appId: string };

const MAX_TAIL_LINES = 100_000;
const MAX_SEARCH_HITS = 1_000;
const MAX_TEXT_LENGTH = 1_000;
const LOG_NAME = /^[\w-]{1,100}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

export function parseLogsRequest(body: unknown): Parsed<LogsRequest> {
  const app = parseAppRef(body);
  if (!app.ok) return app;
  const { follow = false, previous = false, tailLines = LOG_TAIL_LINES } = app.value.fields;
  if (typeof follow !== 'boolean') return invalid('follow', 'follow must be true or false');
  if (typeof previous !== 'boolean') return invalid('previous', 'previous must be true or false');
  if (!isIntegerBetween(tailLines, 0, MAX_TAIL_LINES)) {
    return invalid('tailLines', `tailLines must be a number between 0 and ${MAX_TAIL_LINES}`);
  }
  const filter = parseFilter(app.value.fields);
  if (!filter.ok) return filter;
  const { before, after, limit } = app.value.fields;
  if (before !== undefined && !isIntegerBetween(before, 0)) {
    return invalid('before', 'before must be a line number');
  }
  if (after !== undefined && !isIntegerBetween(after, 0)) {
    return invalid('after', 'after must be a line number');
  }
  if (limit !== undefined && !isIntegerBetween(limit, 1, MAX_TAIL_LINES)) {
    return invalid('limit', `limit must be a number between 1 and ${MAX_TAIL_LINES}`);
  }
  const { projectId, appId } = app.value;
  const range = { tailLines, before, after, limit };
  return valid({ projectId, appId, follow, previous, ...range, ...filter.value });
}

export function parseLogSearchRequest(body: unknown): Parsed<LogSearchRequest> {
  const download = parseLogDownloadRequest(body);
  if (!download.ok) return download;
  const { text } = download.value;
  if (text === undefined) return invalid('text', TEXT_MESSAGE);
  const { before, limit = MAX_SEARCH_HITS } = body as Record<string, unknown>;
  if (before !== undefined && !isIntegerBetween(before, 0)) {
    return invalid('before', 'before must be a line number');
  }
  if (!isIntegerBetween(limit, 1, MAX_SEARCH_HITS)) {
    return invalid('limit', `limit must be a number between 1 and ${MAX_SEARCH_HITS}`);
  }
  return valid({ ...download.value, text, before, limit });
}

export function parseLogDownloadRequest(body: unknown): Parsed<LogDownloadRequest> {
  const app = parseAppRef(body);
  if (!app.ok) return app;
  const { projectId, appId, fields } = app.value;
  const filter = parseFilter(fields);
  return filter.ok ? valid({ projectId, appId, ...filter.value }) : filter;
}

type AppFields = { projectId: string; appId: string; fields: Record<string, unknown> };

function parseAppRef(body: unknown): Parsed<AppFields> {
  if (!isRecord(body)) return invalid('body', 'The request must be a JSON object');
  const { projectId, appId } = body;
  if (typeof projectId !== 'string') return invalid('projectId', 'projectId must be a string');
  if (typeof appId !== 'string') return invalid('appId', 'appId must be a string');
  return valid({ projectId, appId, fields: body });
}

const TEXT_MESSAGE = `text must be a string of 1 to ${MAX_TEXT_LENGTH} characters`;

function parseFilter(fields: Record<string, unknown>): Parsed<LogFilter> {
  const { kind, release, command, instance, from, to, text } = fields;
  if (kind !== undefined && kind !== 'app' && kind !== 'build' && kind !== 'access') {
    return invalid('kind', 'kind must be app, build or access');
  }
  if (release !== undefined && !isIntegerBetween(release, 1)) {
    return invalid('release', 'release must be a release number');
  }
  if (command !== undefined && !isIntegerBetween(command, 1)) {
    return invalid('command', 'command must be the number of a command');
  }
  if (instance !== undefined && !isLogName(instance)) {
    return invalid('instance', 'instance must be the log name of an instance');
  }
  if (from !== undefined && !isTime(from)) return invalid('from', timeMessage('from'));
  if (to !== undefined && !isTime(to)) return invalid('to', timeMessage('to'));
  if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to)) {
    return invalid('to', 'to must not be before from');
  }
  if (text !== undefined && !isSearchText(text)) return invalid('text', TEXT_MESSAGE);
  return valid({ kind, release, command, instance, from, to, text });
}

function isLogName(value: unknown): value is string {
  return typeof value === 'string' && LOG_NAME.test(value);
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value));
}

function timeMessage(field: string): string {
  return `${field} must be a time such as 2026-01-31T09:30:00Z`;
}

function isSearchText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_TEXT_LENGTH;
}

function isIntegerBetween(
  value: unknown,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): value is number {
  return Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
}
