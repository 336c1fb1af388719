import type { SecurityEventKind } from '@longshore/contract';

const SENTENCES: Record<SecurityEventKind, string> = {
  'signed-up': 'Account created',
  'signed-in': 'Signed in',
  'sign-in-refused': 'Sign-in refused',
  'signed-out': 'Signed out',
  'signed-out-everywhere': 'Signed out everywhere',
  'session-revoked': 'Session ended',
  'refresh-token-reused': 'A session was used twice and has been ended',
  'password-changed': 'Password changed',
  'password-reset-asked': 'Password reset asked for',
  'verification-mail-asked': 'Verification mail asked for',
  'sign-in-link-asked': 'Sign-in link asked for',
  'sign-in-code-asked': 'Sign-in code asked for',
  'email-verified': 'Email verified',
  'email-change-asked': 'Email change asked for',
  'email-changed': 'Email changed',
  'mfa-activated': 'Authenticator app turned on',
  'mfa-deactivated': 'Authenticator app turned off',
  'mfa-refused': 'Wrong code of the authenticator app',
  'security-key-added': 'Passkey added',
  'security-key-removed': 'Passkey removed',
  'security-key-cloned': 'A copy of a passkey was used',
  elevated: 'Passkey confirmed',
  'access-token-created': 'Personal access token created',
  'access-token-revoked': 'Personal access token revoked',
  'provider-linked': 'Account of a provider linked',
  'provider-tokens-taken': 'Tokens of a provider handed out',
  'provider-tokens-refreshed': 'Tokens of a provider renewed',
  'integration-connected': 'Integration connected',
  'integration-removed': 'Integration removed',
  deanonymized: 'Anonymous account registered',
};

/** What the owner should look at twice. */
const ALARMING: ReadonlySet<string> = new Set<SecurityEventKind>([
  'sign-in-refused',
  'refresh-token-reused',
  'mfa-refused',
  'security-key-cloned',
]);

/** A kind that only a newer server knows is told by its own words. */
export function eventSentence(kind: string): string {
  const known = SENTENCES[kind as SecurityEventKind] as string | undefined;
  return known ?? kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('-', ' ');
}

export function isAlarming(kind: string): boolean {
  return ALARMING.has(kind);
}
