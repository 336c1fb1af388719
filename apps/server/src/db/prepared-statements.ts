import { hash } from 'node:crypto';
import type { PostgresPool } from 'kysely';
import type pg from 'pg';

/** More than the server's own statements. GraphQL queries can add any number of others. */
const MAX_STATEMENTS = 200;
/** A longer statement is rarely repeated. */
const MAX_LENGTH = 10_000;
/** Of all statements of a connection together. Postgres keeps about 60 bytes for each character, and more for a plan. */
const MAX_TOTAL_LENGTH = 200_000;

export type PreparedConnection = {
  query(text: string, values: unknown[]): Promise<pg.QueryResult>;
  /** `isBroken` closes the connection instead of reusing it. */
  release(isBroken?: boolean): void;
};

/**
 * Lets Postgres parse and plan each statement once per connection, which is most of the cost of a small statement. A
 * connection that has reached a maximum is closed when it is released, which frees its statements.
 */
export function createPreparedStatements({
  maxStatements = MAX_STATEMENTS,
  maxTotalLength = MAX_TOTAL_LENGTH,
} = {}): (client: pg.PoolClient) => PreparedConnection {
  const connections = new WeakMap<pg.PoolClient, PreparedConnection>();
  return (client) => {
    const existing = connections.get(client);
    if (existing !== undefined) return existing;
    const connection = prepareOn(client, { maxStatements, maxTotalLength });
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

type Limits = { maxStatements: number; maxTotalLength: number };

function prepareOn(client: pg.PoolClient, limits: Limits): PreparedConnection {
  const names = new Map<string, string>();
  let totalLength = 0;
  return {
    query(text, values) {
      const name = values.length > 0 ? nameOf(text) : undefined;
      return client.query(name === undefined ? { text, values } : { text, values, name });
    },
    release: (isBroken = false) => client.release(isBroken || isFull()),
  };

  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known !== undefined || isFull() || text.length > MAX_LENGTH) return known;
    // The same text has the same name everywhere: `pg` refuses one name for two texts.
    const name = hash('sha256', text, 'base64url');
    names.set(text, name);
    totalLength += text.length;
    return name;
  }

  function isFull(): boolean {
    return names.size >= limits.maxStatements || totalLength >= limits.maxTotalLength;
  }
}
