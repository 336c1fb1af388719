import type { ProviderClient, ProviderName } from '../../../src/auth/providers/provider.ts';

/** The person who is signed in at a test provider. */
export type Person = { id: string; name: string; email: string; isVerified: boolean };

/** An OAuth provider that runs in the test process. */
export type TestProvider = {
  name: ProviderName;
  client: ProviderClient;
  /** Who is signed in, and whether they consent. */
  behaviour: { person: Person; consents: boolean };
  stop(): Promise<void>;
};

export const callbackUrl = (name: ProviderName, publicUrl = 'http://localhost:1337') =>
  `${publicUrl}/v1/auth/signin/provider/${name}/callback`;
