import type { DatabaseConnection } from './bare-postgres.ts';
import { startChildProgram } from './child-program.ts';
import type { VirtualClient } from './load/virtual-client.ts';
import type { Scope } from './scope.ts';

export type BareServerSetUp = {
  database: DatabaseConnection;
  rows: number;
  connections: number;
};

/** The size of Longshore's connection pool. */
const CONNECTIONS = 8;

export type BareServer = { pid: number; port: number };

/** A server with Hono and Postgres only, beside Longshore's data in the same Postgres. */
export async function startBareServer(
  database: DatabaseConnection,
  rows: number,
  scope: Scope,
): Promise<BareServer> {
  const setUp: BareServerSetUp = { database, rows, connections: CONNECTIONS };
  const { pid, request } = await startChildProgram<object, number>('bare-server.ts', setUp, scope);
  return { pid, port: await request({}) };
}

/** One user's resources per request, by a prepared statement. */
export function listsOf(userIds: readonly string[]): VirtualClient[] {
  return userIds.map((userId) => ({ method: 'POST', path: '/list', body: { userId } }));
}

/** One small row update per request; each client has its own row. */
export function updatesOf(rows: number): VirtualClient[] {
  return Array.from({ length: rows }, (_, id) => ({ method: 'POST', path: '/row', body: { id } }));
}
