import { type ConsoleConfig, isEmail } from '@longshore/contract';
import { MESSAGES } from './messages.ts';

export type InvitationLink = { token: string; email: string };

/** The token is in the fragment, which browsers do not send to servers. */
export function invitationOf(hash: string): InvitationLink | undefined {
  const fragment = new URLSearchParams(hash.replace(/^#/, ''));
  const [token, email] = [fragment.get('invitation'), fragment.get('email')];
  return token && isEmail(email) ? { token, email } : undefined;
}

export type SignUpView = { text: string | undefined; hasForm: boolean };

/** What the sign-up page shows to this visitor. The server decides who may sign up. */
export function signUpView(mode: ConsoleConfig['signUp'], isInvited: boolean): SignUpView {
  if (mode === 'closed') return { text: MESSAGES.closed, hasForm: false };
  if (isInvited) return { text: MESSAGES.invited, hasForm: true };
  if (mode === 'invite') return { text: MESSAGES.invite, hasForm: false };
  return { text: mode === 'domains' ? MESSAGES.domains : undefined, hasForm: true };
}
