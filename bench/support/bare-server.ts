import { startAssistant } from './assistant.ts';
import type { DatabaseDoor } from './bare-postgres.ts';
import type { Caller } from './load/caller.ts';
import type { Scope } from './scope.ts';

export type BareServerSetUp = {
  database: DatabaseDoor;
  rows: number;
  connections: number;
};

/** As many as Longshore's own pool has. */
const CONNECTIONS = 8;

export type BareServer = { pid: number; port: number };

/** Answers over Hono and Postgres with nothing between, next to Longshore's data in the same Postgres. */
export async function startBareServer(
  database: DatabaseDoor,
  rows: number,
  scope: Scope,
): Promise<BareServer> {
  const setUp: BareServerSetUp = { database, rows, connections: CONNECTIONS };
  const { pid, ask } = await startAssistant<object, number>('bare-server.ts', setUp, scope);
  return { pid, port: await ask({}) };
}

/** One small row update for each request; each caller has a row of its own. */
export function updatesOf(rows: number): Caller[] {
  return Array.from({ length: rows }, (_, id) => ({ method: 'POST', path: '/row', body: { id } }));
}
