import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { loadOrCreateKeyFile } from '../../secrets/key-file.ts';

/** What a link lets everybody who has it read, and until when. */
export type Grant = { fileId: string; bucketId: string; key: string; expiresAt: number };

export type Signer = {
  sign(grant: Grant): string;
  verify(grant: Grant, signature: string): boolean;
};

const KEY_BYTES = 32;

export async function createSigner(keysFolder: string): Promise<Signer> {
  const secret = Buffer.from(
    await loadOrCreateKeyFile(keysFolder, 'presigned.key', async () =>
      randomBytes(KEY_BYTES).toString('hex'),
    ),
    'hex',
  );
  const sign = (grant: Grant) => createHmac('sha256', secret).update(textOf(grant)).digest();
  return {
    sign: (grant) => sign(grant).toString('hex'),
    verify(grant, signature) {
      const [expected, shown] = [sign(grant), Buffer.from(signature, 'hex')];
      return shown.length === expected.length && timingSafeEqual(shown, expected);
    },
  };
}

/** JSON, so that no part can pass for a piece of another. */
function textOf({ fileId, bucketId, key, expiresAt }: Grant): string {
  return JSON.stringify([fileId, bucketId, key, expiresAt]);
}
