import type {
  ActiveSession,
  PersonalAccessToken,
  ProviderSession,
  SecurityEvent,
  SecurityKey,
  TotpSecret,
  User,
} from '@longshore/contract';
import type { RequestResult } from '../graphql/request-result.ts';
import type { Flow } from './flow.ts';
import type { ProviderOptions } from './provider-url.ts';

export type RedirectOptions = { redirectTo?: string };

/** What somebody does with their account beside signing in and out. Spec §4 and §7. */
export type Account = AccountFlows &
  OwnAccount &
  SecondFactor &
  WithKey &
  WithProvider & {
    stop(): void;
  };

export type AccountFlows = {
  changeEmail: Flow<{ newEmail: string; options?: RedirectOptions }>;
  /** With the ticket of a reset mail, or signed in without one. */
  changePassword: Flow<{ newPassword: string; ticket?: string }>;
  resetPassword: Flow<{ email: string; options?: RedirectOptions }>;
  sendVerificationEmail: Flow<{ email: string; options?: RedirectOptions }>;
};

export type OwnAccount = {
  /** Asks anew, and the state of `auth` follows. */
  currentUser(): Promise<RequestResult<User>>;
  /** Where one is signed in, the last used first. */
  listSessions(): Promise<RequestResult<ActiveSession[]>>;
  /** One's own current session, too: the next refresh then signs out. */
  revokeSession(id: string): Promise<RequestResult<undefined>>;
  /** The newest first. */
  listSecurityEvents(): Promise<RequestResult<SecurityEvent[]>>;
  listSecurityKeys(): Promise<RequestResult<SecurityKey[]>>;
  removeSecurityKey(id: string): Promise<RequestResult<undefined>>;
  createPersonalAccessToken(request: {
    expiresAt: Date;
    metadata?: Record<string, unknown>;
  }): Promise<RequestResult<{ id: string; personalAccessToken: string }>>;
  listPersonalAccessTokens(): Promise<RequestResult<PersonalAccessToken[]>>;
  /** Ends the sessions that it opened, too. */
  revokePersonalAccessToken(id: string): Promise<RequestResult<undefined>>;
};

/** An authenticator app. Wire §3.3. */
export type SecondFactor = {
  /** Counts for nothing until a code of it activates it. */
  generateTotp(): Promise<RequestResult<TotpSecret>>;
  activateTotp(code: string): Promise<RequestResult<undefined>>;
  deactivateTotp(code: string): Promise<RequestResult<undefined>>;
};

export type WithKey = {
  /** Proves a security key, so that the session may do what needs it. */
  elevate(email?: string): Promise<RequestResult<undefined>>;
  addSecurityKey(nickname?: string): Promise<RequestResult<{ id: string; nickname?: string }>>;
};

export type WithProvider = {
  linkIdToken(request: {
    provider: string;
    idToken: string;
    nonce?: string;
  }): Promise<RequestResult<undefined>>;
  /** The address to send the browser to, so that the provider's account is linked to this user. */
  connectProviderUrl(provider: string, options?: ProviderOptions): Promise<RequestResult<string>>;
  /** The provider's tokens, once, soon after the browser came back from there. */
  takeProviderTokens(provider: string): Promise<RequestResult<ProviderSession>>;
  refreshProviderTokens(
    provider: string,
    refreshToken: string,
  ): Promise<RequestResult<ProviderSession>>;
};
