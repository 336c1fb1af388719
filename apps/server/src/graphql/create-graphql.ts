import type { Hono } from 'hono';
import type { Change } from '../db/change.ts';
import type { Database } from '../db/database.ts';
import { type CallerDeps, createCallerOf } from './caller.ts';
import { createExecutor } from './executor.ts';
import { createRowChanges } from './row-changes.ts';
import { createGraphqlService } from './service.ts';
import { createGraphqlSockets, type GraphqlSockets } from './sockets.ts';
import type { ValueRules } from './values-check.ts';

export type GraphqlOptions = CallerDeps & {
  db: Database;
  rules: ValueRules;
  listen: (listener: (change: Change) => void) => () => void;
  clock: { now(): number };
  logError: (error: unknown) => void;
};

/** GraphQL over HTTP and over websockets, on one executor. */
export function createGraphql(options: GraphqlOptions): { service: Hono; sockets: GraphqlSockets } {
  const executor = createExecutor(options);
  const callerOf = createCallerOf(options);
  const rowChanges = createRowChanges(options.listen);
  return {
    service: createGraphqlService({ executor, callerOf }),
    sockets: createGraphqlSockets({
      ...options,
      executor,
      callerOf,
      onChange: rowChanges.onChange,
    }),
  };
}
