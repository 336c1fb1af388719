import type { ProviderClient, ProviderName } from '../../../src/auth/providers/provider.ts';

/** Who is signed in at a provider under test. */
export type Person = { id: string; name: string; email: string; isVerified: boolean };

/** A provider run by a test. */
export type Host = {
  name: ProviderName;
  client: ProviderClient;
  /** Who answers there, and whether they agree. */
  behaviour: { person: Person; agrees: boolean };
  stop(): Promise<void>;
};

export const CALLBACK = (name: ProviderName, publicUrl = 'http://localhost:1337') =>
  `${publicUrl}/v1/auth/signin/provider/${name}/callback`;
