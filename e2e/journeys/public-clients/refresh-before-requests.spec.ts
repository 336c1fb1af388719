import { describe, expect, it, vi } from 'vitest';
import { connectNhost4, newEmail, PASSWORD } from '../../support/nhost.ts';
import { sharedLongshore } from '../../support/shared-longshore.ts';

const ROUNDS = 25;
const longshore = sharedLongshore({ LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false' });

type StoredSession = { refreshToken: string; decodedToken: { exp: number } };

/** Session storage of a client, with a way to expire the access token. */
function sessionStorage() {
  let stored: StoredSession | null = null;
  return {
    get: () => stored,
    set: (session: StoredSession) => {
      stored = session;
    },
    remove: () => {
      stored = null;
    },
    expire() {
      if (stored !== null) stored = { ...stored, decodedToken: { ...stored.decodedToken, exp: 1 } };
    },
  };
}

describe('nhost-js 4, which refreshes before requests', () => {
  const query = (nhost: ReturnType<typeof connectNhost4>) =>
    nhost.graphql.request({ query: '{ resources { id } }' });

  async function signedIn() {
    const storage = sessionStorage();
    const credentials = { email: newEmail(), password: PASSWORD };
    const nhost = connectNhost4(longshore.url, { storage });
    await nhost.auth.signUpEmailPassword(credentials);
    return { nhost, storage, credentials };
  }

  it('refreshes an expired token before a request', async () => {
    const { nhost, storage } = await signedIn();
    const before = storage.get()?.refreshToken;
    expect((await query(nhost)).body.data).toEqual({ resources: [] });
    expect(storage.get()?.refreshToken).toBe(before);
    storage.expire();
    expect((await query(nhost)).body.data).toEqual({ resources: [] });
    expect(storage.get()?.refreshToken).not.toBe(before);
    expect(storage.get()?.decodedToken.exp).toBeGreaterThan(Date.now());
  });

  it('keeps two clients signed in that share a session and send requests at the same moment', async () => {
    const { nhost, storage } = await signedIn();
    const clients = [nhost, connectNhost4(longshore.url, { storage })];
    for (let round = 0; round < ROUNDS; round += 1) {
      storage.expire();
      const responses = await Promise.all(clients.map(query));
      expect(responses).toMatchObject([{ status: 200 }, { status: 200 }]);
      expect(storage.get()?.decodedToken.exp).toBeGreaterThan(Date.now());
    }
  });

  it('drops a session that was ended by another client', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    vi.spyOn(console, 'error').mockReturnValue();
    const { nhost, storage, credentials } = await signedIn();
    const otherClient = connectNhost4(longshore.url);
    await otherClient.auth.signInEmailPassword(credentials);
    await otherClient.auth.signOut({ all: true });
    storage.expire();
    await expect(nhost.auth.getUser()).rejects.toMatchObject({ status: 401 });
    expect(storage.get()).toBeNull();
  });
});
