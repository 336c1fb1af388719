import { expect, it } from 'vitest';
import { createAccessTokens } from './access-token.ts';
import type { AuthKeys } from './keys/keys.ts';
import { generateSigningKey, readSigningKey } from './keys/signing-key.ts';
import type { UserRow } from './users.ts';

const USER = { id: 'u-1', default_role: 'user', roles: ['user'], is_anonymous: false } as UserRow;

async function setUp() {
  const key = await readSigningKey(await generateSigningKey());
  const clock = { at: 1_000_000_500, now: () => clock.at };
  const publicKeyOf = (keyId: string | undefined) =>
    keyId === key.keyId ? key.publicKey : undefined;
  const keys: Pick<AuthKeys, 'signingKey' | 'publicKeyOf' | 'findPublicKey'> = {
    signingKey: () => key,
    publicKeyOf,
    findPublicKey: async (keyId) => publicKeyOf(keyId),
  };
  const deps = { keys: keys as AuthKeys, issuer: 'us', ttlSeconds: 60, clock };
  const tokens = createAccessTokens(deps);
  return { clock, tokens };
}

it('expires a token that was valid before, in the same millisecond as a new one', async () => {
  const { clock, tokens } = await setUp();
  const [known, unknown] = [tokens.sign(USER), tokens.sign(USER)];
  expect(await tokens.verify(known)).toMatchObject({ kind: 'valid' });
  clock.at = 1_000_059_999;
  expect((await tokens.verify(known)).kind).toBe('valid');
  clock.at = 1_000_060_000;
  expect([await tokens.verify(known), await tokens.verify(unknown)]).toEqual([
    { kind: 'expired' },
    { kind: 'expired' },
  ]);
});

it.each([
  ['another signature', (token: string) => `${token.slice(0, -4)}AAAA`],
  [
    'another payload',
    (token: string) => {
      const [head, , signature] = token.split('.');
      return [head, Buffer.from('{"sub":"u-2"}').toString('base64url'), signature].join('.');
    },
  ],
])('refuses a token that was verified before, with %s', async (_, forge) => {
  const { tokens } = await setUp();
  const token = tokens.sign(USER);
  expect(await tokens.verify(token)).toMatchObject({ kind: 'valid' });
  expect(await tokens.verify(forge(token))).toEqual({ kind: 'forged' });
});
