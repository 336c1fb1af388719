import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAccessTokens } from '../access-token.ts';
import type { UserRow } from '../users.ts';
import { loadAuthKeys } from './keys.ts';
import { generateSigningKey } from './signing-key.ts';

const DAY = 86_400_000;
const USER = { id: 'u-1', default_role: 'user', roles: ['user'], is_anonymous: false } as UserRow;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-keys-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function start(atDay: number) {
  const clock = { day: atDay, now: () => clock.day * DAY };
  const keys = await loadAuthKeys({ folder, clock });
  const ttlSeconds = 90 * 86_400;
  const accessTokens = createAccessTokens({ keys, issuer: 'us', ttlSeconds, clock });
  return { clock, keys, accessTokens, keyIds: () => keys.publicJwks().map(({ kid }) => kid) };
}

it('signs with the same key after a restart', async () => {
  const first = await start(0);
  const token = first.accessTokens.sign(USER);
  const second = await start(29);
  expect(second.keyIds()).toEqual(first.keyIds());
  expect(await second.accessTokens.verify(token)).toMatchObject({ kind: 'valid' });
});

it('rotates an old key when the server starts', async () => {
  const before = (await start(0)).keyIds();
  const after = (await start(30)).keyIds();
  expect(after).toHaveLength(2);
  expect(after[1]).toBe(before[0]);
});

it('verifies with the current and the previous key only', async () => {
  const { clock, keys, accessTokens, keyIds } = await start(0);
  const token = accessTokens.sign(USER);
  clock.day = 30;
  await keys.rotateIfDue();
  expect(await accessTokens.verify(token)).toMatchObject({ kind: 'valid' });
  expect(await accessTokens.verify(accessTokens.sign(USER))).toMatchObject({ kind: 'valid' });
  clock.day = 60;
  await keys.rotateIfDue();
  expect(await accessTokens.verify(token)).toEqual({ kind: 'forged' });
  expect(keyIds()).toHaveLength(2);
});

it('does nothing when rotation is not due', async () => {
  const { keys, keyIds } = await start(0);
  const before = keyIds();
  await keys.rotateIfDue();
  expect(keyIds()).toEqual(before);
});

it('imports the single key of an earlier version', async () => {
  const jwk = await generateSigningKey();
  await writeFile(join(folder, 'access-token.jwk'), JSON.stringify(jwk));
  const { keys } = await start(0);
  expect(keys.publicJwks()).toEqual([expect.objectContaining({ x: jwk.x, y: jwk.y })]);
});

it('publishes no private key, and makes its files readable by the owner only', async () => {
  await start(0);
  const { keys } = await start(30);
  for (const jwk of keys.publicJwks()) expect(jwk).not.toHaveProperty('d');
  const names = await readdir(folder);
  expect(names.sort()).toEqual(['refresh-token.key', 'signing-keys.json']);
  for (const name of names) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(join(folder, 'signing-keys.json'), 'utf8'))).toHaveLength(2);
});
