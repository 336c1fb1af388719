import type { SecurityKeys } from '../auth/security-keys.ts';

/** The ceremony is loaded when somebody first reaches for a key. */
export const browserSecurityKeys: SecurityKeys = {
  create: async (options, signal) => (await ceremony()).createCredential(options, signal),
  prove: async (options, signal) => (await ceremony()).proveCredential(options, signal),
};

function ceremony() {
  return import('./webauthn-ceremony.ts');
}
