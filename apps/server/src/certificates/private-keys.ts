import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Secret } from '../secrets/secret.ts';
import type { CertificateStore } from './certificate-store.ts';

export function newPrivateKey(): Secret {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return new Secret(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
}

/** The key of the installation's account at an authority, created with its first use. */
export function openAccountKey(
  store: Pick<CertificateStore, 'accountKey'>,
  directory: string,
): () => Promise<KeyObject> {
  let key: Promise<KeyObject> | undefined;
  return async () => {
    key ??= store
      .accountKey(directory, newPrivateKey)
      .then((pem) => createPrivateKey(pem.reveal()))
      .catch((error) => {
        key = undefined;
        throw error;
      });
    return await key;
  };
}
