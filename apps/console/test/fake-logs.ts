import type { AppRef, FollowState, Logs, LogsOptions, RequestResult } from '@longshore/client';
import { containsText, type LogFilter, type LogLine, type OutputSource } from '@longshore/contract';

type Observer = LogsOptions & {
  instance: string | undefined;
  kind: LogFilter['kind'];
  onState?(state: FollowState): void;
  fail(error: Error): void;
};
type Failure = Extract<RequestResult<never>, { ok: false }>;

const LIMITS = { appBytes: 16 * 2 ** 20, buildBytes: 4 * 2 ** 20, builds: 10 };

/** A logs service in memory. `failing` returns the failure of every request, if there is one. */
export function createFakeLogs(failing: () => Failure | undefined) {
  const observers: Observer[] = [];
  const buildLogs = new Map<number, LogLine[]>();
  const stored: (LogLine & { sequence: number })[] = [];
  const downloads: (AppRef & LogFilter)[] = [];
  let heldUntil: Promise<void> | undefined;

  const service: Logs = {
    follow: ({ instance, kind }, options) =>
      new Promise((resolve, fail) => {
        const observer = { ...options, fail, instance, kind };
        observers.push(observer);
        options.signal.addEventListener('abort', () => {
          observers.splice(observers.indexOf(observer), 1);
          resolve();
        });
      }),
    async stream({ release, before = Number.POSITIVE_INFINITY, ...query }, { onLine }) {
      const failure = failing();
      if (failure !== undefined) throw new Error(failure.error.message);
      if (release !== undefined) {
        for (const line of buildLogs.get(release) ?? []) onLine(line);
        return;
      }
      await heldUntil;
      const { after, limit, tailLines = 100 } = query;
      const found = stored.filter(
        (line) => line.sequence < before && line.sequence > (after ?? 0) && matches(line, query),
      );
      const page = after === undefined ? found.slice(-tailLines) : found.slice(0, limit);
      for (const line of page) onLine(line);
    },
    async search({ limit = 1_000, before = Number.POSITIVE_INFINITY, ...query }) {
      const failure = failing();
      if (failure !== undefined) return failure;
      const last = stored.at(-1)?.sequence ?? 0;
      const found = stored.filter((line) => line.sequence < before && matches(line, query));
      const hits = found
        .reverse()
        .slice(0, limit)
        .map(({ sequence, at = '' }) => ({ sequence, at }));
      const next = found.length > hits.length ? hits.at(-1)?.sequence : undefined;
      const until = Math.min(before, last + 1);
      return { ok: true, data: { hits, until, oldest: stored[0]?.sequence ?? 0, next } };
    },
    async download(filter) {
      const failure = failing();
      if (failure !== undefined) return failure;
      downloads.push(filter);
      return { ok: true, data: { name: 'app-3f2a91.log', content: new Blob(['lines']) } };
    },
    async kept() {
      const output = stored.filter(isOutput);
      const kinds = [...new Set(output.map(({ source }) => source))] as OutputSource[];
      const requests = stored.filter(({ source }) => source === 'access');
      const access = { since: requests[0]?.at, bytes: 0, maxBytes: 8 * 2 ** 20 };
      return { ok: true, data: { since: output[0]?.at, kinds, bytes: 0, limits: LIMITS, access } };
    },
  };

  return {
    service,
    buildLogs,
    /** Lines that the server keeps, in the order of their sequence numbers. */
    stored,
    /** The filters of the files that were downloaded. */
    downloads,
    openStreams: () => observers.length,
    print: (line: LogLine) => {
      for (const { instance, kind, onLine } of [...observers]) {
        if (instance !== undefined && instance !== line.name) continue;
        if (isOfKind(line, kind)) onLine(line);
      }
    },
    failStreams: (message: string) => {
      for (const observer of [...observers]) observer.fail(new Error(message));
    },
    /** Stored lines are not sent from now on, until the returned function is called. */
    holdStored: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      heldUntil = promise;
      return resolve;
    },
  };
}

function matches(line: LogLine, { kind, from, to, text }: LogFilter): boolean {
  const at = Date.parse(line.at ?? '');
  return (
    isOfKind(line, kind) &&
    (from === undefined || at >= Date.parse(from)) &&
    (to === undefined || at <= Date.parse(to)) &&
    (text === undefined || containsText(line.text, text))
  );
}

/** The requests of visitors are sent only to those who ask for them. */
function isOfKind(line: LogLine, kind: LogFilter['kind']): boolean {
  return kind === undefined ? isOutput(line) : line.source === kind;
}

function isOutput({ source }: LogLine): boolean {
  return source !== 'access';
}
