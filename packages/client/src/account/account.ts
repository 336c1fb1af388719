import type {
  ActiveSession,
  PersonalAccessToken,
  ProofStatus,
  ProviderSession,
  SecurityEvent,
  SecurityKey,
  TotpSecret,
  User,
} from '@longshore/contract';
import type { RequestResult } from '../http/request-result.ts';
import type { Flow } from './flow.ts';
import type { ProviderOptions } from './provider-url.ts';

export type RedirectOptions = { redirectTo?: string };

/** Everything that users do with their account besides signing in and out. */
export type Account = AccountFlows &
  AccountSettings &
  SecurityKeyActions &
  Proofs &
  LinkedProviders & {
    stop(): void;
  };

export type AccountFlows = {
  changeEmail: Flow<{ newEmail: string; options?: RedirectOptions }>;
  /** Needs the ticket of a reset email, or a signed-in user. */
  changePassword: Flow<{ newPassword: string; ticket?: string }>;
  resetPassword: Flow<{ email: string; options?: RedirectOptions }>;
  sendVerificationEmail: Flow<{ email: string; options?: RedirectOptions }>;
};

export type AccountSettings = {
  /** Loads the user from the server and updates the state of `auth`. */
  currentUser(): Promise<RequestResult<User>>;
  /** The user's sessions, most recently used first. */
  listSessions(): Promise<RequestResult<ActiveSession[]>>;
  /** Also works for the current session: the next refresh then signs out. */
  revokeSession(id: string): Promise<RequestResult<undefined>>;
  /** Newest first. */
  listSecurityEvents(): Promise<RequestResult<SecurityEvent[]>>;
  listSecurityKeys(): Promise<RequestResult<SecurityKey[]>>;
  removeSecurityKey(id: string): Promise<RequestResult<undefined>>;
  createPersonalAccessToken(request: {
    expiresAt: Date;
    metadata?: Record<string, unknown>;
  }): Promise<RequestResult<{ id: string; personalAccessToken: string }>>;
  listPersonalAccessTokens(): Promise<RequestResult<PersonalAccessToken[]>>;
  /** Also ends the sessions that were opened with it. */
  revokePersonalAccessToken(id: string): Promise<RequestResult<undefined>>;
  /** A secret for an authenticator app; it takes effect when `activateTotp` is called with a code. */
  generateTotp(): Promise<RequestResult<TotpSecret>>;
  activateTotp(code: string): Promise<RequestResult<undefined>>;
  /** Takes a code of the authenticator app or a recovery code. Deletes the recovery codes. */
  deactivateTotp(code: string): Promise<RequestResult<undefined>>;
  /** The number of unused recovery codes. */
  countRecoveryCodes(): Promise<RequestResult<number>>;
  /** Replaces all recovery codes. Takes a code of the authenticator app; each recovery code replaces such a code once. */
  generateRecoveryCodes(code: string): Promise<RequestResult<string[]>>;
};

export type SecurityKeyActions = {
  /** Verifies a security key, which allows the session the actions that require one. */
  elevate(email?: string): Promise<RequestResult<undefined>>;
  addSecurityKey(nickname?: string): Promise<RequestResult<{ id: string; nickname?: string }>>;
};

/** Sensitive changes fail with `reauthentication-required` without a recent sign-in or proof in this session. */
export type Proofs = {
  proofStatus(): Promise<RequestResult<ProofStatus>>;
  proveByPassword(password: string): Promise<RequestResult<undefined>>;
  /** Takes a code of the authenticator app or a recovery code. */
  proveByTotp(otp: string): Promise<RequestResult<undefined>>;
  /** Mails a code that is valid in this session. */
  sendProofCode(): Promise<RequestResult<undefined>>;
  proveByEmailCode(otp: string): Promise<RequestResult<undefined>>;
  /** Keeps the session, unlike `elevate`. */
  proveBySecurityKey(): Promise<RequestResult<undefined>>;
};

export type LinkedProviders = {
  linkIdToken(request: {
    provider: string;
    idToken: string;
    nonce?: string;
  }): Promise<RequestResult<undefined>>;
  /** The URL to send the browser to, so that the provider's account is linked to this user. */
  connectProviderUrl(provider: string, options?: ProviderOptions): Promise<RequestResult<string>>;
  /** The provider's tokens. Available once, shortly after the browser returned from the provider. */
  takeProviderTokens(provider: string): Promise<RequestResult<ProviderSession>>;
  refreshProviderTokens(
    provider: string,
    refreshToken: string,
  ): Promise<RequestResult<ProviderSession>>;
};
