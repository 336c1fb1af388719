import { hkdfSync } from 'node:crypto';
import type { ConnectionOptions, TlsOptions } from 'node:tls';

/**
 * TLS between a server and an edge in another pod. Both prove that they know the secret of the installation, so neither needs
 * a certificate that somebody has to issue and renew (decision 105).
 */
const TLS = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  // Node offers pre-shared keys for this version only.
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} as const;
const IDENTITY = 'longshore-server';
const KEY_BYTES = 32;

export function controlServerTls(secret: string): TlsOptions {
  const key = keyOf(secret);
  return { ...TLS, pskCallback: (_, identity) => (identity === IDENTITY ? key : null) };
}

export function controlClientTls(secret: string): ConnectionOptions {
  const psk = keyOf(secret);
  return {
    ...TLS,
    pskCallback: () => ({ psk, identity: IDENTITY }),
    // There is no certificate whose name could be checked.
    checkServerIdentity: () => undefined,
  };
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'longshore-edge-1', 'control', KEY_BYTES));
}
