import type { PostgresPool } from 'kysely';
import type pg from 'pg';

/** More than the server's own code has; filters that callers write could make any number of them. */
const MAX_STATEMENTS = 300;

/**
 * Lets Postgres parse a statement once for each connection instead of each time it is used. That is most of
 * what a small one costs.
 */
export function withPreparedStatements(
  pool: pg.Pool,
  { maxStatements = MAX_STATEMENTS } = {},
): PostgresPool {
  const names = new Map<string, string>();
  const connections = new WeakMap<pg.PoolClient, PoolClient>();
  return {
    async connect() {
      const client = await pool.connect();
      const known = connections.get(client);
      if (known !== undefined) return known;
      const connection = preparing(client);
      connections.set(client, connection);
      return connection;
    },
    end: () => pool.end(),
  };

  function preparing(client: pg.PoolClient): PoolClient {
    const query = (text: string, values: unknown[]) => {
      const name = values.length > 0 ? nameOf(text) : undefined;
      return client.query(name === undefined ? { text, values } : { text, values, name });
    };
    // Only streams bring a cursor instead of a text, and we have none.
    return { query: query as unknown as PoolClient['query'], release: () => client.release() };
  }

  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known !== undefined || names.size >= maxStatements) return known;
    const name = `statement ${names.size}`;
    names.set(text, name);
    return name;
  }
}

type PoolClient = Awaited<ReturnType<PostgresPool['connect']>>;
