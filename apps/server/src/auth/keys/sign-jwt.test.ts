import { jwtVerify } from 'jose';
import { expect, it } from 'vitest';
import { signJwt } from './sign-jwt.ts';
import { generateSigningKey, readSigningKey } from './signing-key.ts';

it('creates tokens that jose verifies, even if r or s of the signature has leading zeros', async () => {
  const key = await readSigningKey(await generateSigningKey());
  // In one signature of 128, r or s has a leading zero byte.
  for (let count = 0; count < 500; count += 1) {
    const claims = { sub: 'Ädá', count };
    const { payload, protectedHeader } = await jwtVerify(signJwt(key, claims), key.publicKey);
    expect(payload).toEqual(claims);
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: key.keyId });
  }
});
