import type { IncomingMessage } from 'node:http';
import type { Clock } from '@longshore/edge-contract';
import type { Hono } from 'hono';
import type { Change } from '../db/change.ts';
import { createExecutor, type ExecutorDeps } from './executor.ts';
import { createLiveQueries } from './live/live-queries.ts';
import { createRowChanges } from './live/row-changes.ts';
import { type CallerResolverDeps, createGraphqlCallerResolver } from './resolve-caller.ts';
import { createGraphqlService } from './service.ts';
import { createOperations } from './sockets/operations.ts';
import { createGraphqlSockets, type GraphqlSockets } from './sockets/sockets.ts';

export type GraphqlOptions = CallerResolverDeps &
  ExecutorDeps & {
    listen: (listener: (change: Change) => void) => () => void;
    clock: Clock;
    /** Of the program that opened a websocket. */
    addressOf(request: IncomingMessage): string;
  };

/** GraphQL over HTTP and websockets. */
export function createGraphql(options: GraphqlOptions): { service: Hono; sockets: GraphqlSockets } {
  const { pool, rules, checkBearer, adminSecret, isSignedIn, listen, clock, logError } = options;
  const { addressOf } = options;
  const executor = createExecutor({ pool, rules, isSignedIn, logError });
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
      addressOf,
      logError,
    }),
  };
}
