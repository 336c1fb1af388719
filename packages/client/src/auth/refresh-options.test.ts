import { AUTH_PATHS } from '@longshore/contract';
import {
  createFakeAuthBackend,
  createMemoryStorage,
  createSimulatedClock,
} from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { createAuth, type RefreshOptions } from './create-auth.ts';

describe('the refresh timer', () => {
  it('does nothing when it is off; the token is refreshed when a request needs it', async () => {
    const { auth, clock, refreshes } = await start({ autoRefresh: false });
    await clock.advance(2_000_000);
    expect(refreshes()).toBe(0);
    expect(await auth.accessToken()).toBeDefined();
    expect(refreshes()).toBe(1);
  });

  it('refreshes at the configured interval', async () => {
    const { clock, refreshes } = await start({ refreshIntervalSeconds: 100 });
    await clock.advance(99_000);
    expect(refreshes()).toBe(0);
    await clock.advance(1_000);
    expect(refreshes()).toBe(1);
    await clock.advance(100_000);
    expect(refreshes()).toBe(2);
  });
});

async function start(options: RefreshOptions) {
  const clock = createSimulatedClock();
  const backend = createFakeAuthBackend({ now: () => clock.now() });
  const auth = createAuth({
    url: 'http://backend/v1/auth',
    clock,
    fetch: backend.fetch,
    storage: createMemoryStorage(),
    ...options,
  });
  await auth.signUp({ email: 'ada@example.com', password: 'secret' });
  const refreshes = () => backend.calls().filter((path) => path === AUTH_PATHS.token).length;
  return { auth, clock, refreshes };
}
