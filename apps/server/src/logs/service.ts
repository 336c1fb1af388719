import { type LogsRequest, parseLogsRequest } from '@longshore/contract';
import { Hono } from 'hono';
import { Problem } from '../http/problem.ts';
import { encodeBatch, FORM_TYPES, formOf } from './lines-form.ts';
import type { LogStore } from './log-store.ts';
import { createReaders, type Readers } from './readers.ts';
import { streamLines } from './stream-lines.ts';

const READ_MS = 30_000;
/** Enough for every app in sight of somebody with many tabs. */
const READERS_PER_USER = 24;

/** Who asks, and until when the token is good. */
export type LogsSession = { userId: string; expiresAt: Date };

export type LogsServiceDeps = {
  store: Pick<LogStore, 'open'>;
  clock: { now(): number };
  session(request: Request): Promise<LogsSession | undefined>;
  /** A foreign, an unknown and a deleted app are the same: not owned. */
  ownApp(userId: string, projectId: string, appId: string): Promise<boolean>;
  readersPerUser?: number;
};

/** `POST /`: the lines of an app as streamed text. Spec §7, Logs service. Refusals are thrown as `Problem`. */
export function createLogsService(deps: LogsServiceDeps): Hono {
  const { store, clock, session, ownApp, readersPerUser = READERS_PER_USER } = deps;
  const readers = createReaders(readersPerUser);
  const service = new Hono();
  service.post('/', async (context) => {
    const caller = await session(context.req.raw);
    if (caller === undefined) {
      throw new Problem(401, 'unauthorized', 'Missing or invalid access token');
    }
    const request = requestOf(await context.req.json().catch(() => undefined));
    if (!(await ownApp(caller.userId, request.projectId, request.appId))) {
      throw new Problem(404, 'not-found', 'App not found');
    }
    const form = formOf(context.req.header('accept'));
    const leave = comeIn(readers, caller.userId);
    const deadline = AbortSignal.timeout(READ_MS);
    const lines = await store.open(request.appId, request, deadline).catch((error: unknown) => {
      leave();
      throw error;
    });
    const lifetimeMs = caller.expiresAt.getTime() - clock.now();
    const reader = { client: context.req.raw.signal, lifetimeMs, left: leave };
    return answer(streamLines(lines, encodeBatch[form], reader), FORM_TYPES[form]);
  });
  return service;
}

function comeIn(readers: Readers, userId: string): () => void {
  const leave = readers.enter(userId);
  if (leave !== undefined) return leave;
  throw new Problem(
    429,
    'too-many-requests',
    'Too many logs are open at once; close some of them and try again',
  );
}

function requestOf(body: unknown): LogsRequest {
  const parsed = parseLogsRequest(body);
  if (!parsed.ok) throw new Problem(400, 'invalid-request', parsed.message);
  return parsed.value;
}

function answer(lines: ReadableStream<Uint8Array>, type: string): Response {
  return new Response(lines, {
    headers: {
      'Content-Type': type,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      // A proxy in between must not wait for more.
      'X-Accel-Buffering': 'no',
    },
  });
}
