import { jwtVerify } from 'jose';
import { expect, it } from 'vitest';
import { signJwt } from './sign-jwt.ts';
import { generateSigningKey, readSigningKey } from './signing-key.ts';

it('signs what a library verifies, however short the numbers of a signature are', async () => {
  const key = await readSigningKey(await generateSigningKey());
  // One signature in 128 has a number that is shorter than the others.
  for (let count = 0; count < 500; count += 1) {
    const claims = { sub: 'Ädá', count };
    const { payload, protectedHeader } = await jwtVerify(signJwt(key, claims), key.publicKey);
    expect(payload).toEqual(claims);
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: key.keyId });
  }
});
