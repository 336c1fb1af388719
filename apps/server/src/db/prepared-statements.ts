import type { PostgresPool } from 'kysely';
import type pg from 'pg';

/** More than the server's own statements; filters of GraphQL queries could add any number of others. */
const MAX_STATEMENTS = 300;

/** Lets Postgres parse each statement once per connection. Parsing is most of the cost of a small statement. */
export function withPreparedStatements(
  pool: pg.Pool,
  { maxStatements = MAX_STATEMENTS } = {},
): PostgresPool {
  const names = new Map<string, string>();
  const connections = new WeakMap<pg.PoolClient, PoolClient>();
  return {
    async connect() {
      const client = await pool.connect();
      const existing = connections.get(client);
      if (existing !== undefined) return existing;
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
    // Kysely passes a cursor instead of a text only for streams, which are not used.
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
