import { startAssistant } from './assistant.ts';
import type { DatabaseDoor } from './bare-postgres.ts';
import type { Scope } from './scope.ts';

export type RawQueriesSetUp = { database: DatabaseDoor; connections: number; userIds: string[] };
export type RawQueriesResult = { answered: number; tookMs: number };

/** Answers how many queries a second. */
export type RawQueries = { run(forMs: number): Promise<number> };

/** As many as Longshore's own pool has. */
const CONNECTIONS = 8;

/** The least a query can cost: its statement alone, sent by `pg` to the same Postgres. */
export async function startRawQueries(
  database: DatabaseDoor,
  userIds: string[],
  scope: Scope,
): Promise<RawQueries> {
  const setUp: RawQueriesSetUp = { database, connections: CONNECTIONS, userIds };
  type Question = { forMs: number };
  const { ask } = await startAssistant<Question, RawQueriesResult>('raw-queries.ts', setUp, scope);
  return {
    async run(forMs) {
      const { answered, tookMs } = await ask({ forMs });
      return (answered / tookMs) * 1_000;
    },
  };
}
