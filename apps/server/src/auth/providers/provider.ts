import type { OAuth2Tokens } from 'arctic';
import type { Secret } from '../../secrets/secret.ts';

export type ProviderName = 'github' | 'gitlab' | 'google';

/** Longshore as a client of a provider: where the provider lives, and what it knows Longshore by. */
export type ProviderClient = { url: string; clientId: string; clientSecret: Secret };

/** A provider without an entry is off. */
export type ProviderClients = Partial<Record<ProviderName, ProviderClient>>;

/** Who somebody is at a provider. */
export type Profile = {
  accountId: string;
  email: string | undefined;
  /** Only what the provider says outright; an address alone proves nothing. */
  isEmailVerified: boolean;
  displayName: string | undefined;
  avatarUrl: string;
};

export type Endpoints = { authorization: string; token: string };

export type Provider = {
  client: ProviderClient;
  scopes: string[];
  endpoints(): Promise<Endpoints>;
  /** Whose tokens these are. The nonce is the one the browser was sent away with. */
  profile(tokens: OAuth2Tokens, nonce: string): Promise<Profile>;
};
