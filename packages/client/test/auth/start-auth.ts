import { AUTH_PATHS } from '@longshore/contract';
import {
  createFakeAuthBackend,
  createMemoryStorage,
  createSimulatedClock,
  type FakeAuthOptions,
} from '@longshore/testkit';
import { type AuthDeps, createAuth } from '../../src/auth/create-auth.ts';

export const ada = { email: 'ada@example.com', password: 'secret' };
export const AUTH_URL = 'http://backend/v1/auth';

export type StartOptions = Partial<AuthDeps> & { backend?: FakeAuthOptions };

export function start({ backend: options = {}, ...deps }: StartOptions = {}) {
  const clock = createSimulatedClock();
  const backend = createFakeAuthBackend({ now: clock.now, ...options });
  const storage = createMemoryStorage();
  const auth = createAuth({ url: AUTH_URL, clock, storage, fetch: backend.fetch, ...deps });
  return { auth, backend, clock, storage };
}

/** Starts with a stored session. */
export function startStored(deps: Partial<AuthDeps> = {}) {
  const clock = createSimulatedClock();
  const backend = createFakeAuthBackend({ now: clock.now });
  const { refreshToken } = backend.openSession();
  const storage = createMemoryStorage({ nhostRefreshToken: refreshToken });
  const auth = createAuth({ url: AUTH_URL, clock, storage, fetch: backend.fetch, ...deps });
  return { auth, backend, clock, storage };
}

export function refreshes(backend: { calls(): string[] }): number {
  return backend.calls().filter((path) => path === AUTH_PATHS.token).length;
}
