import pg from 'pg';
import type { RawQueriesResult, RawQueriesSetUp } from '../support/raw-queries.ts';
import { serveRequests } from '../support/serve-requests.ts';

/** The statement that Longshore generates for `listOf`: a user's resources as JSON. */
const LIST = `select coalesce(json_agg("row"), '[]')::text as json from (
  select id, chart_name, values, status, message from public.resources where user_id = $1::uuid limit 10000
) as "row"`;

/** Sends the statement repeatedly over all connections at once. */
await serveRequests(async ({ database, connections, userIds }: RawQueriesSetUp) => {
  const pool = new pg.Pool({ ...database, max: connections });
  return async ({ forMs }: { forMs: number }): Promise<RawQueriesResult> => {
    const startedAt = performance.now();
    let completed = 0;
    const sendQueries = async (_: unknown, first: number) => {
      for (let index = first; performance.now() - startedAt < forMs; index += 1) {
        await pool.query(LIST, [userIds[index % userIds.length]]);
        completed += 1;
      }
    };
    await Promise.all(Array.from({ length: connections }, sendQueries));
    return { completed, tookMs: performance.now() - startedAt };
  };
});
