import pg from 'pg';
import { databaseOf } from './bare-postgres.ts';

/** The hash that a server stores for a user's password, to measure its verification alone. */
export async function passwordHashOf(serverPid: number, email: string): Promise<string> {
  const client = new pg.Client(databaseOf(serverPid));
  await client.connect();
  try {
    const text = 'select password_hash from auth.users where email = $1';
    const { rows } = await client.query<{ password_hash: string }>(text, [email]);
    if (rows[0] === undefined) throw new Error(`${email} has no account`);
    return rows[0].password_hash;
  } finally {
    await client.end();
  }
}
