import type { MailPurpose } from './mailer.ts';

export type MailText = {
  subject: string;
  /** What happened, and what to do. */
  lead: string;
  /** The label of the button. Empty for codes. */
  action: string;
  /** The expiry, and what to do if the user did not request the mail. */
  note: string;
};

/** The lifetimes are those in `auth/tickets.ts` and `auth/one-time-codes.ts`. */
export const MAIL_TEXTS: Record<MailPurpose, MailText> = {
  'verify-email': {
    subject: 'Confirm your email address',
    lead: 'Welcome to Longshore. Confirm your email address to activate your account.',
    action: 'Confirm email address',
    note: 'The link works once and expires in 30 days. If you did not sign up, ignore this email.',
  },
  'confirm-email-change': {
    subject: 'Confirm your new email address',
    lead: 'You asked to change the email address of your account. Confirm the new address to finish.',
    action: 'Use this address',
    note: 'The link works once and expires in one hour. If you did not ask for this, ignore this email; nothing changes.',
  },
  'reset-password': {
    subject: 'Reset your password',
    lead: 'We received a request to reset your password. The link signs you in so that you can choose a new one.',
    action: 'Choose a new password',
    note: 'The link works once and expires in one hour. If you did not ask for this, ignore this email; your password stays the same.',
  },
  'sign-in-link': {
    subject: 'Your sign-in link',
    lead: 'Use this link to sign in without a password.',
    action: 'Sign in',
    note: 'The link works once and expires in one hour. Do not share it: anyone who opens it is signed in as you.',
  },
  'sign-in-code': {
    subject: 'Your sign-in code',
    lead: 'Enter this code to sign in.',
    action: '',
    note: 'The code works once and expires in ten minutes. Do not share it: we never ask for it by phone or email.',
  },
};
