import { afterAll, beforeAll, expect, it } from 'vitest';
import { localFetch } from '../../../test/connect/local-fetch.ts';
import {
  REGISTRY_USER,
  type Registry,
  startRegistry,
} from '../../../test/engines/docker/registry.ts';
import { Secret } from '../../secrets/secret.ts';
import { checkRegistry } from './check-registry.ts';

let registry: Registry;
beforeAll(async () => {
  registry = await startRegistry({ isPrivate: true });
});
afterAll(() => registry.stop());

it.each([
  [REGISTRY_USER.password, 'accepted'],
  ['wrong', 'refused'],
])('checks the password %s at a real registry', async (password, expected) => {
  const login = { username: REGISTRY_USER.username, password: new Secret(password) };
  const deps = { fetch: localFetch, signal: AbortSignal.timeout(10_000) };
  expect(await checkRegistry(`http://${registry.host}`, login, deps)).toBe(expected);
});
