import type { OutputSource } from './log-line.ts';
import { isRecord } from './type-guards.ts';

/** A line that contains the searched text, by its position in the log. */
export type LogHit = { sequence: number; at: string };

/** Response of `POST /logs/search`: a page of hits, newest first. */
export type LogSearchPage = {
  hits: LogHit[];
  /** The page searched the lines before this sequence number. Newer lines arrived later. */
  until: number;
  /** The oldest line kept. */
  oldest: number;
  /** `before` of the next page. Undefined when everything was searched. */
  next?: number | undefined;
};

/** Response of `POST /logs/kept`: what is stored of an app, and how much is stored at most. */
export type KeptLogs = {
  /** Time of the oldest line; undefined if there is none. */
  since?: string | undefined;
  kinds: OutputSource[];
  bytes: number;
  limits: { appBytes: number; buildBytes: number; builds: number };
  /** The requests of visitors. Undefined if the server does not log them. */
  access?: KeptAccessLog | undefined;
};

export type KeptAccessLog = { since?: string | undefined; bytes: number; maxBytes: number };

/** Undefined if the response is not a page of hits. */
export function decodeLogSearchPage(body: unknown): LogSearchPage | undefined {
  if (!isRecord(body)) return undefined;
  const { hits, until, oldest, next } = body;
  if (!Array.isArray(hits) || !hits.every(isHit) || !isPosition(until) || !isPosition(oldest)) {
    return undefined;
  }
  if (next !== undefined && !isPosition(next)) return undefined;
  return { hits, until, oldest, next };
}

/** Undefined if the response does not describe stored logs. */
export function decodeKeptLogs(body: unknown): KeptLogs | undefined {
  if (!isRecord(body) || !isRecord(body.limits)) return undefined;
  const { since, kinds, bytes } = body;
  const { appBytes, buildBytes, builds } = body.limits;
  if (since !== undefined && !isTime(since)) return undefined;
  if (!Array.isArray(kinds) || !kinds.every((kind) => kind === 'app' || kind === 'build')) {
    return undefined;
  }
  if (![bytes, appBytes, buildBytes, builds].every(isPosition)) return undefined;
  const limits = { appBytes, buildBytes, builds };
  const access = isKeptAccessLog(body.access) ? { access: body.access } : {};
  return { since, kinds, bytes, limits, ...access } as KeptLogs;
}

function isKeptAccessLog(value: unknown): value is KeptAccessLog {
  if (!isRecord(value) || !isPosition(value.bytes) || !isPosition(value.maxBytes)) return false;
  return value.since === undefined || isTime(value.since);
}

function isHit(value: unknown): value is LogHit {
  return isRecord(value) && isPosition(value.sequence) && isTime(value.at);
}

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}
