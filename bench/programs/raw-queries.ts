import pg from 'pg';
import { LIST_STATEMENT } from '../support/list-statement.ts';
import type { RawQueriesResult, RawQueriesSetUp } from '../support/raw-queries.ts';
import { serveRequests } from '../support/serve-requests.ts';

/** Sends the statement repeatedly over all connections at once. */
await serveRequests(async ({ database, connections, userIds }: RawQueriesSetUp) => {
  const pool = new pg.Pool({ ...database, max: connections });
  return async ({ forMs }: { forMs: number }): Promise<RawQueriesResult> => {
    const startedAt = performance.now();
    let completed = 0;
    const sendQueries = async (_: unknown, first: number) => {
      for (let index = first; performance.now() - startedAt < forMs; index += 1) {
        await pool.query(LIST_STATEMENT, [userIds[index % userIds.length]]);
        completed += 1;
      }
    };
    await Promise.all(Array.from({ length: connections }, sendQueries));
    return { completed, tookMs: performance.now() - startedAt };
  };
});
