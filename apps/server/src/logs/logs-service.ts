import { type LogsRequest, parseLogsRequest } from '@longshore/contract';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { Problem, problemBody } from '../http/problem.ts';
import { linesOf, type RequestedLines } from './lines-of.ts';
import { streamLines } from './stream-lines.ts';

const MAX_BODY_BYTES = 16 * 1024;

/** Who asks, and until when the token is good. */
export type LogsSession = { userId: string; expiresAt: Date };

export type LogsServiceDeps = {
  store: RequestedLines;
  clock: { now(): number };
  session(request: Request): Promise<LogsSession | undefined>;
  ownApp(userId: string, projectId: string, appId: string): Promise<boolean>;
};

/** `POST /`: the lines of an app as streamed text. Spec §7, Logs service. */
export function createLogsService(deps: LogsServiceDeps): Hono {
  const service = new Hono();
  const limit = bodyLimit({
    maxSize: MAX_BODY_BYTES,
    onError: (context) =>
      refuse(context, new Problem(413, 'invalid-request', 'The request is too large')),
  });
  service.post('/', limit, async (context) => {
    const session = await deps.session(context.req.raw);
    if (session === undefined) return refuse(context, unauthorized());
    const body = parseLogsRequest(await context.req.json().catch(() => undefined));
    if (!body.ok) return refuse(context, new Problem(400, 'invalid-request', body.message));
    const { projectId, appId } = body.value;
    const isOwn = await deps.ownApp(session.userId, projectId, appId);
    if (!isOwn) return refuse(context, new Problem(404, 'not-found', 'App not found'));
    return answer(deps, body.value, session);
  });
  return service;
}

function answer(deps: LogsServiceDeps, request: LogsRequest, session: LogsSession): Response {
  const lifetimeMs = session.expiresAt.getTime() - deps.clock.now();
  const lines = streamLines((signal) => linesOf(deps.store, request, signal), lifetimeMs);
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

function unauthorized(): Problem {
  return new Problem(401, 'unauthorized', 'Missing or invalid access token');
}

function refuse(context: Context, problem: Problem): Response {
  return context.json(problemBody(problem), problem.status);
}
