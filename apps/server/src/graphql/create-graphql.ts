import type { Hono } from 'hono';
import type { Change } from '../db/change.ts';
import type { Clock } from '../schedule/clock.ts';
import { createExecutor, type ExecutorDeps } from './executor.ts';
import { createLiveQueries } from './live/live-queries.ts';
import { createRowChanges } from './live/row-changes.ts';
import { type CallerResolverDeps, createGraphqlCallerResolver } from './resolve-caller.ts';
import { createGraphqlService } from './service.ts';
import type { AdmissionDeps } from './sockets/admission.ts';
import { createOperations } from './sockets/operations.ts';
import { createGraphqlSockets, type GraphqlSockets } from './sockets/sockets.ts';

export type GraphqlOptions = CallerResolverDeps &
  ExecutorDeps & {
    listen: (listener: (change: Change) => void) => () => void;
    isSignedIn: AdmissionDeps['isSignedIn'];
    clock: Clock;
  };

/** GraphQL over HTTP and websockets. */
export function createGraphql(options: GraphqlOptions): { service: Hono; sockets: GraphqlSockets } {
  const { pool, rules, checkBearer, adminSecret, isSignedIn, listen, clock, logError } = options;
  const executor = createExecutor({ pool, rules, logError });
  const resolveCaller = createGraphqlCallerResolver({ checkBearer, adminSecret });
  const { onChange } = createRowChanges(listen);
  const live = createLiveQueries({ onChange, clock });
  const operations = createOperations({ executor, live });
  return {
    service: createGraphqlService({ executor, resolveCaller }),
    sockets: createGraphqlSockets({
      operations,
      resolveCaller,
      isSignedIn,
      listen,
      clock,
      logError,
    }),
  };
}
