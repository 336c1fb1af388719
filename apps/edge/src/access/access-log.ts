import {
  type AccessLine,
  type AppCounters,
  type Clock,
  CONSOLE_ID,
} from '@longshore/edge-contract';
import type { EndedRequest } from '../proxy/request-facts.ts';
import { accessLine } from './access-line.ts';
import { countRequest, noRequests } from './counters.ts';

/** What a worker reports to the keeper: the requests that ended since its last report. */
export type AccessReport = {
  lines: AccessLine[];
  /** Per app, the requests without a line. */
  omitted: Record<string, number>;
  counters: AppCounters[];
};

/** Records requests to apps that have ended. While there are none, it holds no timer. */
export type AccessLog = {
  record(request: EndedRequest): void;
  /** Reports what was recorded. For a worker that is about to exit. */
  flush(): void;
};

type AccessLogLimits = { intervalMs: number; linesPerApp: number; lines: number };

/** A flood of requests must not flood the log: of each app, so many requests per second and worker get a line. */
const ACCESS_LOG_LIMITS: AccessLogLimits = {
  intervalMs: 1_000,
  linesPerApp: 200,
  lines: 2_000,
};

const MINUTE_MS = 60_000;

type AppRecord = { counters: AppCounters; lines: number; omitted: number };

export type AccessLogDeps = {
  clock: Clock;
  /** The clock of the proxy. */
  elapsed: Pick<Clock, 'now'>;
  /** Must not throw. */
  send(report: AccessReport): void;
};

export function createAccessLog(
  { clock, elapsed, send }: AccessLogDeps,
  limits = ACCESS_LOG_LIMITS,
): AccessLog {
  let records = new Map<string, AppRecord>();
  let lines: AccessLine[] = [];
  /** Counters of minutes that have passed since the last report. */
  let finished: AppCounters[] = [];
  let timer: unknown;

  function recordOf(appId: string, minute: number): AppRecord {
    const existing = records.get(appId);
    if (existing === undefined) {
      const created = { counters: noRequests(appId, minute), lines: 0, omitted: 0 };
      records.set(appId, created);
      return created;
    }
    if (existing.counters.minute !== minute) {
      finished.push(existing.counters);
      existing.counters = noRequests(appId, minute);
    }
    return existing;
  }

  function flush(): void {
    clock.clearTimeout(timer);
    timer = undefined;
    if (records.size === 0) return;
    const report: AccessReport = { lines, omitted: {}, counters: finished };
    for (const [appId, { counters, omitted }] of records) {
      report.counters.push(counters);
      if (omitted > 0) report.omitted[appId] = omitted;
    }
    records = new Map();
    lines = [];
    finished = [];
    send(report);
  }

  return {
    record(request) {
      const { appId } = request;
      if (appId === undefined || appId === CONSOLE_ID) return;
      const at = clock.now();
      const durationMs = elapsed.now() - request.startedAt;
      const record = recordOf(appId, Math.floor(at / MINUTE_MS));
      countRequest(record.counters, request, durationMs);
      if (record.lines < limits.linesPerApp && lines.length < limits.lines) {
        record.lines += 1;
        lines.push(accessLine(request, { appId, at, durationMs }));
      } else record.omitted += 1;
      timer ??= clock.setTimeout(flush, limits.intervalMs);
    },
    flush,
  };
}
