import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { KeyStore } from '../../secrets/key-store.ts';

/** What a presigned URL allows to read, and until when. */
export type Grant = { fileId: string; bucketId: string; key: string; expiresAt: number };

export type Signer = {
  sign(grant: Grant): string;
  verify(grant: Grant, signature: string): boolean;
};

const KEY_BYTES = 32;

export async function createSigner(keys: KeyStore): Promise<Signer> {
  const secret = Buffer.from(
    await keys.loadOrCreate('presigned.key', async () => randomBytes(KEY_BYTES).toString('hex')),
    'hex',
  );
  const sign = (grant: Grant) => createHmac('sha256', secret).update(textOf(grant)).digest();
  return {
    sign: (grant) => sign(grant).toString('hex'),
    verify(grant, signature) {
      const [expected, actual] = [sign(grant), Buffer.from(signature, 'hex')];
      return actual.length === expected.length && timingSafeEqual(actual, expected);
    },
  };
}

/** JSON keeps the parts apart unambiguously. */
function textOf({ fileId, bucketId, key, expiresAt }: Grant): string {
  return JSON.stringify([fileId, bucketId, key, expiresAt]);
}
