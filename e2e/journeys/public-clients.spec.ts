import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createClient } from 'nhost-js-4';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { type Longshore, startLongshore } from '../support/longshore.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

/** The public clients as they are published, against a real server. */
const require = createRequire(import.meta.url);
const PASSWORD = 'a harbour at night';

let folder: TemporaryFolder;
let longshore: Longshore;
let base: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  const port = await freePort();
  longshore = await startLongshore({
    dataDir: join(folder.path, 'data'),
    port,
    ingressPort: await freePort(),
  });
  base = `http://127.0.0.1:${port}`;
});

afterAll(async () => {
  expect(await longshore?.stop()).toBe(0);
  await folder?.remove();
});

type Storage = { getItem(key: string): string | null };

function memoryStorage(values = new Map<string, string>()): Storage {
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  } as Storage;
}

describe.each(['nhost-js-3-2', 'nhost-js-3-3'])('%s', (name) => {
  const { NhostClient } = require(name) as typeof import('nhost-js-3-2');
  const connect = (storage = memoryStorage()) =>
    new NhostClient({
      authUrl: `${base}/v1/auth`,
      graphqlUrl: `${base}/v1/graphql`,
      storageUrl: `${base}/v1/storage`,
      functionsUrl: `${base}/v1/functions`,
      clientStorageType: 'custom',
      clientStorage: storage,
      autoSignIn: false,
    } as ConstructorParameters<typeof NhostClient>[0]);

  it('signs up, asks, refreshes, signs out and in again', async () => {
    const email = `${name}@example.com`;
    const nhost = connect();
    const { session, error } = await nhost.auth.signUp({ email, password: PASSWORD });
    expect(error).toBeNull();
    expect(session?.user?.email).toBe(email);
    expect(await nhost.graphql.request('query Q { resources { id } }')).toEqual({
      data: { resources: [] },
      error: null,
    });
    const refreshed = await nhost.auth.refreshSession();
    expect(refreshed.session?.refreshToken).not.toBe(session?.refreshToken);
    await nhost.auth.signOut();
    expect(nhost.auth.isAuthenticated()).toBe(false);
    const again = await nhost.auth.signIn({ email, password: PASSWORD });
    expect(again.error).toBeNull();
    expect(again.session?.user?.id).toBe(session?.user?.id);
    await nhost.auth.signOut();
  });

  it('hears why it is refused', async () => {
    const { error } = await connect().auth.signIn({
      email: 'nobody@example.com',
      password: PASSWORD,
    });
    expect(error).toEqual({
      status: 401,
      error: 'invalid-email-password',
      message: 'Incorrect email or password',
    });
  });

  it('keeps two tabs signed in that refresh the same token', async () => {
    const nhost = connect();
    const email = `${name}-tabs@example.com`;
    const { session } = await nhost.auth.signUp({ email, password: PASSWORD });
    const tabs = [connect(), connect()];
    const refreshed = await Promise.all(
      tabs.map((tab) => tab.auth.refreshSession(session?.refreshToken)),
    );
    expect(refreshed.map((answer: { error: unknown }) => answer.error)).toEqual([null, null]);
    for (const client of [nhost, ...tabs]) await client.auth.signOut();
  });
});

describe('nhost-js 4', () => {
  const connect = () =>
    createClient({
      authUrl: `${base}/auth/v1`,
      graphqlUrl: `${base}/v1/graphql`,
      storageUrl: `${base}/storage/v1`,
      functionsUrl: `${base}/functions/v1`,
    });

  it('signs up, asks, refreshes and reads its user', async () => {
    const nhost = connect();
    const email = 'four@example.com';
    const { body } = await nhost.auth.signUpEmailPassword({ email, password: PASSWORD });
    expect(body.session?.user?.email).toBe(email);
    const answer = await nhost.graphql.request({ query: '{ resources { id } }' });
    expect(answer.body).toEqual({ data: { resources: [] } });
    // A margin beyond the life of the token makes a refresh due.
    expect(await nhost.refreshSession(100_000)).toBeTruthy();
    expect((await nhost.auth.getUser()).body.email).toBe(email);
  });

  it('hears why it is refused', async () => {
    const refused = connect().auth.signInEmailPassword({
      email: 'nobody@example.com',
      password: PASSWORD,
    });
    await expect(refused).rejects.toMatchObject({
      status: 401,
      body: { status: 401, error: 'invalid-email-password' },
    });
  });
});
