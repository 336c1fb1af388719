import { type LogsRequest, parseLogsRequest } from '@longshore/contract';
import { Hono } from 'hono';
import { Problem } from '../http/problem.ts';
import { linesOf, type RequestedLines } from './lines-of.ts';
import { streamLines } from './stream-lines.ts';

/** What the auth side found in the Authorization header; times in milliseconds since 1970. */
export type LogsCaller =
  | { kind: 'nobody' }
  | { kind: 'refused' }
  | { kind: 'identified'; identified: { userId: string; expiresAt: number } };

export type LogsServiceDeps = {
  store: RequestedLines;
  clock: { now(): number };
  session(authorization: string | undefined): Promise<LogsCaller>;
  /** A foreign, an unknown and a deleted app are the same: not owned. */
  ownApp(userId: string, projectId: string, appId: string): Promise<boolean>;
};

/** `POST /`: the lines of an app as streamed text. Spec §7, Logs service. Refusals are thrown as `Problem`. */
export function createLogsService({ store, clock, session, ownApp }: LogsServiceDeps): Hono {
  const service = new Hono();
  service.post('/', async (context) => {
    const caller = await session(context.req.header('authorization'));
    if (caller.kind !== 'identified') {
      throw new Problem(401, 'unauthorized', 'Missing or invalid access token');
    }
    const request = requestOf(await context.req.json().catch(() => undefined));
    const { userId, expiresAt } = caller.identified;
    if (!(await ownApp(userId, request.projectId, request.appId))) {
      throw new Problem(404, 'not-found', 'App not found');
    }
    const lines = await linesOf(store, request);
    return answer(streamLines(lines, expiresAt - clock.now()));
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
