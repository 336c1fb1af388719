import type { Page } from 'playwright-core';

/** A security key emulated by Chromium; user presence is automatic. */
export type VirtualAuthenticator = {
  /** The signature count of each key. */
  signCounts(): Promise<number[]>;
  /** Sets the signature count of the only key, as if an older copy were used. */
  rewind(signCount: number): Promise<void>;
};

export async function plugInSecurityKey(page: Page): Promise<VirtualAuthenticator> {
  const chromium = await page.context().newCDPSession(page);
  await chromium.send('WebAuthn.enable');
  const { authenticatorId } = await chromium.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'usb',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const credentials = async () =>
    (await chromium.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
  return {
    signCounts: async () => (await credentials()).map(({ signCount }) => signCount),
    async rewind(signCount) {
      const [credential] = await credentials();
      if (credential === undefined) throw new Error('The authenticator has no key.');
      await chromium.send('WebAuthn.removeCredential', {
        authenticatorId,
        credentialId: credential.credentialId,
      });
      await chromium.send('WebAuthn.addCredential', {
        authenticatorId,
        credential: { ...credential, signCount },
      });
    },
  };
}
