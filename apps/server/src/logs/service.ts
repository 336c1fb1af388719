import { type LogsRequest, parseLogsRequest } from '@longshore/contract';
import { Hono } from 'hono';
import { Problem } from '../http/problem.ts';
import { CONTENT_TYPES, encodeBatch, lineFormatOf } from './line-format.ts';
import type { LogStore } from './log-store.ts';
import { streamLines } from './stream-lines.ts';

const OPEN_TIMEOUT_MS = 30_000;
/** Enough for a user with many tabs. */
const STREAMS_PER_USER = 24;

/** The caller, and when their access token expires. */
export type LogsSession = { userId: string; expiresAt: Date };

export type LogsServiceDeps = {
  store: Pick<LogStore, 'open'>;
  clock: { now(): number };
  session(request: Request): Promise<LogsSession | undefined>;
  /** False for apps of other users, for unknown and for deleted apps. */
  ownsApp(userId: string, projectId: string, appId: string): Promise<boolean>;
  streamsPerUser?: number;
};

/** `POST /`: streams the lines of an app (spec-map 7.6.1). Errors are thrown as `Problem`. */
export function createLogsService(deps: LogsServiceDeps): Hono {
  const { store, clock, session, ownsApp, streamsPerUser = STREAMS_PER_USER } = deps;
  const openStreams = createStreamLimit(streamsPerUser);
  const service = new Hono();
  service.post('/', async (context) => {
    const caller = await session(context.req.raw);
    if (caller === undefined) {
      throw new Problem(401, 'unauthorized', 'Missing or invalid access token');
    }
    const request = parseRequest(await context.req.json().catch(() => undefined));
    if (!(await ownsApp(caller.userId, request.projectId, request.appId))) {
      throw new Problem(404, 'not-found', 'App not found');
    }
    const format = lineFormatOf(context.req.header('accept'));
    const release = openStreams.acquire(caller.userId);
    const timeout = AbortSignal.timeout(OPEN_TIMEOUT_MS);
    const reader = await store.open(request.appId, request, timeout).catch((error: unknown) => {
      release();
      throw error;
    });
    const lines = streamLines(reader, encodeBatch[format], {
      client: context.req.raw.signal,
      lifetimeMs: caller.expiresAt.getTime() - clock.now(),
      onEnd: release,
    });
    return streamResponse(lines, CONTENT_TYPES[format]);
  });
  return service;
}

function parseRequest(body: unknown): LogsRequest {
  const parsed = parseLogsRequest(body);
  if (!parsed.ok) throw new Problem(400, 'invalid-request', parsed.message);
  return parsed.value;
}

/** Limits how many log streams a user has open at once. */
function createStreamLimit(perUser: number) {
  const openCounts = new Map<string, number>();

  function release(userId: string): void {
    const remaining = (openCounts.get(userId) ?? 1) - 1;
    if (remaining > 0) openCounts.set(userId, remaining);
    else openCounts.delete(userId);
  }

  return {
    /** Returns a function that releases the stream; only its first call counts. */
    acquire(userId: string): () => void {
      const openCount = openCounts.get(userId) ?? 0;
      if (openCount >= perUser) {
        throw new Problem(
          429,
          'too-many-requests',
          'Too many log streams are open. Close some of them and try again.',
        );
      }
      openCounts.set(userId, openCount + 1);
      let isOpen = true;
      return () => {
        if (isOpen) release(userId);
        isOpen = false;
      };
    },
  };
}

function streamResponse(lines: ReadableStream<Uint8Array>, contentType: string): Response {
  return new Response(lines, {
    headers: {
      'Content-Type': contentType,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      // Disables response buffering in nginx and compatible proxies.
      'X-Accel-Buffering': 'no',
    },
  });
}
