import { domainToASCII } from 'node:url';
import { isEmail, type SignUpMode } from '@longshore/contract';

/** Who may sign up. `domains` counts only in the mode `domains`. */
export type SignUpRule = { mode: SignUpMode; domains: string[] };

export const OPEN_SIGN_UP: SignUpRule = { mode: 'open', domains: [] };

/** What a request says about the user it wants to create. */
export type SignUp = {
  /** Null: the user has a phone number, or is anonymous. */
  email: string | null;
  isAnonymous?: boolean;
  /** A provider has verified the address. */
  isEmailVerified?: boolean;
};

/** An invitation that can be used. `isMailed`: by the link of the mail, which only the owner of the address can read. */
export type UsableInvitation = { id: string; email: string; isMailed: boolean };

export type SignUpDecision =
  | { kind: 'refused'; code: 'signup-disabled' | 'invalid-invitation' }
  | {
      kind: 'admitted';
      /** The sign-up itself proves the address. */
      isEmailProved: boolean;
      /** The account cannot be used before its address is verified. */
      mustVerifyEmail: boolean;
      invitationId?: string;
    };

const ADMITTED = { kind: 'admitted', isEmailProved: false, mustVerifyEmail: false } as const;
const REFUSED = { kind: 'refused', code: 'signup-disabled' } as const;

type SignUpFacts = {
  rule: SignUpRule;
  /** There is no account yet: the first one is always possible. */
  isFirst: boolean;
  signUp: SignUp;
  /** Of the token in the request; without one, of the address that a provider has verified. */
  invitation: UsableInvitation | undefined;
  hasToken: boolean;
};

export function decideSignUp(facts: SignUpFacts): SignUpDecision {
  const { rule, isFirst, signUp, invitation, hasToken } = facts;
  if (signUp.isAnonymous) return rule.mode === 'open' ? ADMITTED : REFUSED;
  if (isFirst) return ADMITTED;
  if (rule.mode === 'closed') return REFUSED;
  const isInvited = invitation !== undefined && invitation.email === signUp.email;
  if (hasToken && !isInvited) return { kind: 'refused', code: 'invalid-invitation' };
  if (isInvited && (hasToken || signUp.isEmailVerified)) {
    const isEmailProved = hasToken && invitation.isMailed;
    return { ...ADMITTED, isEmailProved, invitationId: invitation.id };
  }
  if (rule.mode === 'open') return ADMITTED;
  return rule.mode === 'domains' && isOfDomain(signUp.email, rule.domains)
    ? { ...ADMITTED, mustVerifyEmail: true }
    : REFUSED;
}

/** Subdomains are other domains. */
function isOfDomain(email: string | null, domains: string[]): boolean {
  return email !== null && domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
}

/** A domain in the form that addresses have: lowercase, in Punycode. Undefined if no address can have it. */
export function parseEmailDomain(text: string): string | undefined {
  const written = text.trim().replace(/^@/, '');
  // The conversion would cut off a path.
  const domain = /[^\p{L}\p{N}\p{M}.-]/u.test(written) ? '' : domainToASCII(written);
  return isEmail(`a@${domain}`) ? domain : undefined;
}

/** `open`, `closed`, `invite`, or email domains separated by commas. Undefined if it is none of them. */
export function parseSignUpRule(text: string): SignUpRule | undefined {
  const value = text.trim().toLowerCase();
  if (value === 'open' || value === 'closed' || value === 'invite')
    return { mode: value, domains: [] };
  const parts = value.split(',').filter((part) => part.trim() !== '');
  const domains = parts.map(parseEmailDomain).filter((domain) => domain !== undefined);
  if (parts.length === 0 || domains.length < parts.length) return undefined;
  return { mode: 'domains', domains: [...new Set(domains)] };
}
