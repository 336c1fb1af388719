import type { ProviderName } from './providers/provider.ts';
import type { SignInWay } from './sign-in-ways.ts';
import type { UserRow } from './users.ts';

/**
 * What a first factor proved. It changes the account when the session opens: for accounts with a second factor, after
 * the code.
 */
export type SignInEffects = {
  verified?: 'email' | 'phone-number' | undefined;
  /** The address that the user confirmed. It replaces the current one. */
  newEmail?: string | undefined;
  /** The provider account that signs this user in from now on. */
  account?: { provider: ProviderName; accountId: string } | undefined;
  /** Tokens that the client may fetch. */
  providerTokens?: { provider: ProviderName; sealed: string } | undefined;
  /** The link that stays valid until the code is accepted. */
  link?: LinkWay | undefined;
};

type LinkWay = Extract<
  SignInWay,
  'verifyEmail' | 'passwordlessEmail' | 'passwordReset' | 'emailConfirmChange'
>;

/** The sign-in that a ticket for the second factor continues. */
export type PendingSignIn = { way: SignInWay; effects: SignInEffects };

/** The user after the effects are applied. A code or link verifies the address that it was sent to. */
export function verifiedUser(user: UserRow, { verified, newEmail }: SignInEffects): UserRow {
  if (verified === 'phone-number') return { ...user, phone_number_verified: true };
  return verified === 'email' || newEmail !== undefined ? { ...user, email_verified: true } : user;
}
