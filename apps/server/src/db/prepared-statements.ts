import { hash } from 'node:crypto';
import type { PostgresPool } from 'kysely';
import type pg from 'pg';

/** More than the server's own statements. GraphQL queries can add any number of others. */
const MAX_STATEMENTS = 200;
/** A longer statement is rarely repeated, and takes more memory in Postgres. */
const MAX_LENGTH = 10_000;

export type PreparedConnection = {
  query(text: string, values: unknown[]): Promise<pg.QueryResult>;
  /** `isBroken` closes the connection instead of reusing it. */
  release(isBroken?: boolean): void;
};

/**
 * Lets Postgres parse and plan each statement once per connection, which is most of the cost of a small statement. A
 * connection that has reached the maximum is closed when it is released, which frees its statements.
 */
export function createPreparedStatements({
  maxStatements = MAX_STATEMENTS,
} = {}): (client: pg.PoolClient) => PreparedConnection {
  const connections = new WeakMap<pg.PoolClient, PreparedConnection>();
  return (client) => {
    const existing = connections.get(client);
    if (existing !== undefined) return existing;
    const connection = prepareOn(client, maxStatements);
    connections.set(client, connection);
    return connection;
  };
}

export function withPreparedStatements(pool: pg.Pool): PostgresPool {
  const prepared = createPreparedStatements();
  return {
    // Kysely passes a cursor instead of a text only for streams, which are not used.
    connect: async () => prepared(await pool.connect()) as unknown as PoolClient,
    end: () => pool.end(),
  };
}

type PoolClient = Awaited<ReturnType<PostgresPool['connect']>>;

function prepareOn(client: pg.PoolClient, maxStatements: number): PreparedConnection {
  const names = new Map<string, string>();
  return {
    query(text, values) {
      const name = values.length > 0 ? nameOf(text) : undefined;
      return client.query(name === undefined ? { text, values } : { text, values, name });
    },
    release: (isBroken = false) => client.release(isBroken || names.size >= maxStatements),
  };

  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known !== undefined || names.size >= maxStatements || text.length > MAX_LENGTH)
      return known;
    // The same text has the same name everywhere: `pg` refuses one name for two texts.
    const name = hash('sha256', text, 'base64url');
    names.set(text, name);
    return name;
  }
}
