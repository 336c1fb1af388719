import type { MailPurpose } from './mailer.ts';

export type MailText = {
  subject: string;
  /** What happened, and what to do. */
  lead: string;
  /** The label of the button. Empty without a link. */
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
  'email-changed': {
    subject: 'Your email address was changed',
    lead: 'Your account has a new email address. You can no longer sign in with this one.',
    action: '',
    note: 'If you did not change it, another person has access to your account: contact the operator of this Longshore installation.',
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
  invitation: {
    subject: 'You are invited to Longshore',
    lead: 'The operator of a Longshore installation invited you to create an account.',
    action: 'Create an account',
    note: 'The link works once, for this email address, and expires in 7 days. If you did not expect it, ignore this email.',
  },
  'sign-in-code': {
    subject: 'Your sign-in code',
    lead: 'Enter this code to sign in.',
    action: '',
    note: 'The code works once and expires in ten minutes. Do not share it: we never ask for it by phone or email.',
  },
  'proof-code': {
    subject: "Confirm it's you",
    lead: 'Enter this code to confirm a change of your account.',
    action: '',
    note: 'The code works once and expires in ten minutes. If you did not ask for it, another person is signed in to your account: sign out everywhere and change your password.',
  },
};
