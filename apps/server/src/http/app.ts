import type { IncomingMessage } from 'node:http';
import { SERVICE_PATHS } from '@longshore/contract';
import type { Connection } from '@longshore/edge-contract';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { identifyClients } from './client.ts';
import { crossOrigin } from './cross-origin.ts';
import { hostAndPath } from './host-and-path.ts';
import {
  foreignPageProblem,
  hostProblem,
  isAllowedOrigin,
  type OriginSettings,
} from './host-check.ts';
import { limitBody } from './limit-body.ts';
import { Problem, problemBody } from './problem.ts';
import { type RequestLog, requestLog, type WithRequestId } from './request-log.ts';

export type AppDeps = OriginSettings & {
  services: {
    auth: Hono;
    graphql: Hono;
    storage: Hono;
    functions: Hono;
    connect: Hono;
    logs: Hono;
    domains: Hono;
    usage: Hono;
    isolation: Hono;
    operator: Hono;
    apps: Hono;
  };
  console: Hono;
  /** Whether requests can be answered now: the database answers. */
  isReady(): Promise<boolean>;
  /** Undefined: there is nothing at its path. */
  metrics?: Hono | undefined;
  /** Who sent a request. */
  readConnection(request: IncomingMessage): Connection;
  logRequest: RequestLog;
  logError: (error: unknown, requestId: string) => void;
};

const MAX_BODY_BYTES = 1_000_000;
/** These services read a body as a stream and limit it themselves. */
const SERVICES_WITH_OWN_LIMITS: readonly string[] = [
  ...SERVICE_PATHS.storage,
  ...SERVICE_PATHS.apps,
];

/** All services on one origin. Every error becomes a JSON response here. */
export function createApp({
  services,
  console,
  isReady,
  metrics,
  publicUrl,
  allowedOrigins,
  readConnection,
  logRequest,
  logError,
}: AppDeps): Hono<WithRequestId> {
  const app = new Hono<WithRequestId>();
  app.use(requestLog(logRequest), knownHostsOnly(publicUrl), identifyClients(readConnection));
  for (const path of Object.values(SERVICE_PATHS).flat()) {
    app.use(
      `${path}/*`,
      crossOrigin((origin) => isAllowedOrigin(origin, { publicUrl, allowedOrigins })),
    );
    if (!SERVICES_WITH_OWN_LIMITS.includes(path)) app.use(`${path}/*`, limitBody(MAX_BODY_BYTES));
  }
  for (const path of SERVICE_PATHS.auth) {
    app.use(`${path}/*`, ownPagesOnly({ publicUrl, allowedOrigins }));
  }
  for (const [name, service] of Object.entries(services)) {
    for (const path of SERVICE_PATHS[name as keyof typeof services]) app.route(path, service);
  }
  if (metrics === undefined) app.all('/metrics', unknownPath);
  else app.route('/metrics', metrics);
  // Of the process alone: restarting it would not bring the database back.
  app.get('/healthz', (context) => context.json({ status: 'ok' }));
  app.get('/readyz', async (context) =>
    (await isReady()) ? context.json({ status: 'ok' }) : context.json({ status: 'not ready' }, 503),
  );
  for (const path of ['/v1', ...Object.values(SERVICE_PATHS).flat()]) {
    app.all(`${path}/*`, unknownPath);
  }
  app.route('/', console);
  app.notFound(unknownPath);
  app.onError((error, context) => {
    const problem = error instanceof Problem ? error : unexpected(error, context);
    return context.json(problemBody(problem), problem.status, problem.headers);
  });
  return app;

  function unexpected(error: unknown, context: Context<WithRequestId>): Problem {
    // A request that fails because its client disconnected is not worth an error in the log.
    if (!hasDisconnected(error, context)) logError(error, context.get('requestId'));
    return new Problem(500, 'internal-server-error', 'Internal server error');
  }
}

/** Node reports an aborted body before it aborts the request's signal. */
function hasDisconnected(error: unknown, { req }: Context<WithRequestId>): boolean {
  return req.raw.signal.aborted || (error instanceof Error && error.message === 'aborted');
}

function knownHostsOnly(publicUrl: string): MiddlewareHandler {
  // Nearly all requests name the same host, which need not be parsed each time.
  let lastKnown: string | undefined;
  return (context, next) => {
    const { host } = hostAndPath(context.req.url);
    if (host !== lastKnown) {
      const problem = hostProblem(host, publicUrl);
      if (problem !== undefined) throw problem;
      lastKnown = host;
    }
    return next();
  };
}

function ownPagesOnly(settings: OriginSettings): MiddlewareHandler {
  return (context, next) => {
    const problem = foreignPageProblem(context.req.raw, settings);
    if (problem !== undefined) throw problem;
    return next();
  };
}

export function unknownPath(context: Context): Response {
  return context.json(
    problemBody(new Problem(404, 'not-found', 'There is nothing at this path')),
    404,
  );
}
