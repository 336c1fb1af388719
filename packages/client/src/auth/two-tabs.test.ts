import { AUTH_PATHS } from '@longshore/contract';
import {
  createFakeAuthBackend,
  createFakeTabs,
  createMemoryStorage,
  createSimulatedClock,
  settle,
} from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { createAuth } from './create-auth.ts';

const ada = { email: 'ada@example.com', password: 'secret' };

describe('two tabs of one browser', () => {
  it('are signed in by one sign-in', async () => {
    const { one, other } = openTabs();
    await one.signUp(ada);
    await settle();
    expect(other.state()).toEqual(one.state());
  });

  it('are signed out by one sign-out', async () => {
    const { one, other } = openTabs();
    await one.signUp(ada);
    await settle();
    await other.signOut();
    await settle();
    expect(one.state()).toEqual({ kind: 'signed-out', needsEmailVerification: false });
  });

  it('share one refreshed token', async () => {
    const { one, other, clock } = openTabs();
    await one.signUp(ada);
    await settle();
    await one.refresh();
    await settle();
    expect(other.state()).toEqual(one.state());
    await clock.advance(1_800_000);
    expect(other.state()).toEqual(one.state());
    expect(one.state().kind).toBe('signed-in');
  });

  it.each([
    ['with the lock', true, true],
    ['without the lock', false, true],
    ['with the lock and a server without a grace period', true, false],
  ])(
    'refresh at the same moment repeatedly, %s, and stay signed in',
    async (_, hasLock, hasGracePeriod) => {
      const { one, other, clock, storage, backend } = openTabs({ hasLock, hasGracePeriod });
      await one.signUp(ada);
      await settle();
      for (let round = 0; round < 6; round += 1) {
        await clock.advance(890_000);
        await Promise.all([one.refresh(), other.refresh()]);
      }
      await clock.advance(900_000);
      expect([one.state().kind, other.state().kind]).toEqual(['signed-in', 'signed-in']);
      expect(backend.calls()).toContain(AUTH_PATHS.token);
      expect(storage.getItem('nhostRefreshToken')).not.toBeNull();
    },
  );

  it('are both signed out by a revoked session, and both signed in by the next sign-in', async () => {
    const { one, other, backend, clock } = openTabs();
    await one.signUp(ada);
    await settle();
    backend.revokeAll();
    await clock.advance(900_000);
    expect([one.state().kind, other.state().kind]).toEqual(['signed-out', 'signed-out']);
    await one.signIn(ada);
    await settle();
    expect(other.state().kind).toBe('signed-in');
  });

  it('accept a refresh token from a tab that sends no session', async () => {
    const { one, other, backend, tabs } = openTabs();
    await Promise.all([one.ready(), other.ready()]);
    const { refreshToken } = backend.openSession('ada@example.com');
    tabs.openChannel().post({ type: 'token', refreshToken });
    await settle();
    expect([one.state().kind, other.state().kind]).toEqual(['signed-in', 'signed-in']);
  });

  it('stay signed in when a tab sends an invalid token', async () => {
    const { one, other, tabs } = openTabs();
    await one.signUp(ada);
    await settle();
    tabs.openChannel().post({ type: 'token', refreshToken: 'refresh-none' });
    await settle();
    expect([one.state().kind, other.state().kind]).toEqual(['signed-in', 'signed-in']);
  });

  it('find the stored session when opened later', async () => {
    const { one, open } = openTabs();
    await one.signUp(ada);
    const third = open();
    await third.ready();
    expect(third.state()).toMatchObject({ kind: 'signed-in' });
    await settle();
    expect(one.state()).toEqual(third.state());
  });
});

function openTabs({ hasLock = true, hasGracePeriod = true } = {}) {
  const clock = createSimulatedClock();
  const backend = createFakeAuthBackend({ now: clock.now, hasGracePeriod });
  const storage = createMemoryStorage();
  const tabs = createFakeTabs();
  const open = () =>
    createAuth({
      url: 'http://backend/v1/auth',
      clock,
      storage,
      fetch: backend.fetch,
      channel: tabs.openChannel(),
      ...(hasLock ? { lock: tabs.lock } : {}),
    });
  return { one: open(), other: open(), open, clock, backend, storage, tabs };
}
