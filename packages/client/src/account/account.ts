import type { AuthError } from '@longshore/contract';
import type { Flow } from './flow.ts';
import type { ProviderOptions } from './provider-url.ts';

export type RedirectOptions = { redirectTo?: string };
export type Answer<Value> = { ok: true; value: Value } | { ok: false; error: AuthError };

/** What somebody does with their account beside signing in and out. Spec §4 and §7. */
export type Account = {
  changeEmail: Flow<{ newEmail: string; options?: RedirectOptions }>;
  /** With the ticket of a reset mail, or signed in without one. */
  changePassword: Flow<{ newPassword: string; ticket?: string }>;
  resetPassword: Flow<{ email: string; options?: RedirectOptions }>;
  sendVerificationEmail: Flow<{ email: string; options?: RedirectOptions }>;
  /** Proves a security key, so that the session may do what needs it. */
  elevate(email?: string): Promise<Answer<undefined>>;
  addSecurityKey(nickname?: string): Promise<Answer<{ id: string; nickname?: string }>>;
  createPersonalAccessToken(request: {
    expiresAt: Date;
    metadata?: Record<string, unknown>;
  }): Promise<Answer<{ id: string; personalAccessToken: string }>>;
  linkIdToken(request: {
    provider: string;
    idToken: string;
    nonce?: string;
  }): Promise<Answer<undefined>>;
  /** The address to send the browser to, so that the provider's account is linked to this user. */
  connectProviderUrl(provider: string, options?: ProviderOptions): Promise<Answer<string>>;
  stop(): void;
};
