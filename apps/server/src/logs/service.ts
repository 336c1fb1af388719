import { type LogsRequest, parseLogsRequest } from '@longshore/contract';
import { Hono } from 'hono';
import { Problem } from '../http/problem.ts';
import { linesOf, type RequestedLines } from './lines-of.ts';
import { streamLines } from './stream-lines.ts';

/** Who asks, and until when the token is good. */
export type LogsSession = { userId: string; expiresAt: Date };

export type LogsServiceDeps = {
  store: RequestedLines;
  clock: { now(): number };
  session(request: Request): Promise<LogsSession | undefined>;
  /** A foreign, an unknown and a deleted app are the same: not owned. */
  ownApp(userId: string, projectId: string, appId: string): Promise<boolean>;
};

/** `POST /`: the lines of an app as streamed text. Spec §7, Logs service. Refusals are thrown as `Problem`. */
export function createLogsService({ store, clock, session, ownApp }: LogsServiceDeps): Hono {
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
    const lines = await linesOf(store, request);
    const lifetimeMs = caller.expiresAt.getTime() - clock.now();
    return answer(streamLines(lines, { client: context.req.raw.signal, lifetimeMs }));
  });
  return service;
}

function requestOf(body: unknown): LogsRequest {
  const parsed = parseLogsRequest(body);
  if (!parsed.ok) throw new Problem(400, 'invalid-request', parsed.message);
  return parsed.value;
}

function answer(lines: ReadableStream<Uint8Array>): Response {
  return new Response(lines, {
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      // A proxy in between must not wait for more.
      'X-Accel-Buffering': 'no',
    },
  });
}
