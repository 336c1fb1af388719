import type { DatabaseConnection } from './bare-postgres.ts';
import { startChildProgram } from './child-program.ts';
import type { Scope } from './scope.ts';

export type RawQueriesSetUp = {
  database: DatabaseConnection;
  connections: number;
  userIds: string[];
};
export type RawQueriesResult = { completed: number; tookMs: number };

/** Returns queries per second. */
export type RawQueries = { run(forMs: number): Promise<number> };

/** The size of Longshore's connection pool. */
const CONNECTIONS = 8;

/** The baseline of a query: its statement sent by `pg` to the same Postgres. */
export async function startRawQueries(
  database: DatabaseConnection,
  userIds: string[],
  scope: Scope,
): Promise<RawQueries> {
  const setUp: RawQueriesSetUp = { database, connections: CONNECTIONS, userIds };
  type Round = { forMs: number };
  const { request } = await startChildProgram<Round, RawQueriesResult>(
    'raw-queries.ts',
    setUp,
    scope,
  );
  return {
    async run(forMs) {
      const { completed, tookMs } = await request({ forMs });
      return (completed / tookMs) * 1_000;
    },
  };
}
