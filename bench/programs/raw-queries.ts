import pg from 'pg';
import { answerQuestions } from '../support/answer-questions.ts';
import type { RawQueriesResult, RawQueriesSetUp } from '../support/raw-queries.ts';

/** The list of somebody's resources, in the shape of the answer: what Longshore makes of `listOf`. */
const LIST = `select coalesce(json_agg("row"), '[]')::text as json from (
  select id, chart_name, values, status, message from public.resources where user_id = $1::uuid limit 10000
) as "row"`;

/** Sends the statement again and again, over all connections at once. */
await answerQuestions(async ({ database, connections, userIds }: RawQueriesSetUp) => {
  const pool = new pg.Pool({ ...database, max: connections });
  return async ({ forMs }: { forMs: number }): Promise<RawQueriesResult> => {
    const begunAt = performance.now();
    let answered = 0;
    const askAgain = async (_: unknown, first: number) => {
      for (let at = first; performance.now() - begunAt < forMs; at += 1) {
        await pool.query(LIST, [userIds[at % userIds.length]]);
        answered += 1;
      }
    };
    await Promise.all(Array.from({ length: connections }, askAgain));
    return { answered, tookMs: performance.now() - begunAt };
  };
});
