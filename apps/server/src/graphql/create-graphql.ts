import type { Hono } from 'hono';
import type { Change } from '../db/changes.ts';
import type { Database } from '../db/database.ts';
import type { Credentials } from './caller.ts';
import { createExecutor } from './executor.ts';
import { createRowChanges } from './row-changes.ts';
import { createGraphqlService } from './service.ts';
import { createGraphqlSockets, type GraphqlSockets } from './sockets.ts';
import type { ValueRules } from './values-check.ts';

export type GraphqlOptions = {
  db: Database;
  rules: ValueRules;
  listen: (listener: (change: Change) => void) => () => void;
  credentials: (authorization: string | undefined) => Promise<Credentials>;
  clock: { now(): number };
  logError: (error: unknown) => void;
};

/** GraphQL over HTTP and over websockets, on one executor. */
export function createGraphql(options: GraphqlOptions): { service: Hono; sockets: GraphqlSockets } {
  const executor = createExecutor(options);
  const rowChanges = createRowChanges(options.listen);
  return {
    service: createGraphqlService({ executor, credentials: options.credentials }),
    sockets: createGraphqlSockets({ ...options, executor, onChange: rowChanges.onChange }),
  };
}
