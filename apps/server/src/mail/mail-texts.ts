import type { MailPurpose } from './mailer.ts';

export type Words = {
  subject: string;
  /** What happened and what to do. */
  lead: string;
  /** On the button; a code has none. */
  action: string;
  /** How long it is good, and what to do if one did not ask. */
  note: string;
};

/** The lifetimes are those of the tickets and codes. Wire §2.5. */
export const WORDS: Record<MailPurpose, Words> = {
  'verify-email': {
    subject: 'Confirm your email address',
    lead: 'Welcome aboard. Confirm that this address is yours and your account is ready.',
    action: 'Confirm address',
    note: 'The link works once, for 30 days. If you did not sign up, leave it alone and nothing happens.',
  },
  'confirm-email-change': {
    subject: 'Confirm your new email address',
    lead: 'You asked to use this address for your account from now on. Confirm it to make the change.',
    action: 'Use this address',
    note: 'The link works once, for one hour. If you did not ask for this, leave it alone and nothing changes.',
  },
  'reset-password': {
    subject: 'Reset your password',
    lead: 'Somebody asked for a way back into your account. The link signs you in; then choose a new password.',
    action: 'Choose a new password',
    note: 'The link works once, for one hour. If it was not you, ignore this mail; your password stays as it is.',
  },
  'sign-in-link': {
    subject: 'Your link to sign in',
    lead: 'Here is your way in, no password needed.',
    action: 'Sign in',
    note: 'The link works once, for one hour. Do not pass it on: whoever opens it is signed in as you.',
  },
  'sign-in-code': {
    subject: 'Your code to sign in',
    lead: 'Type this code where you are signing in.',
    action: '',
    note: 'The code works once, for ten minutes. Nobody will ever ask you for it on the phone or by mail.',
  },
};
