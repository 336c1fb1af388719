/** Each purpose has its own text. */
export type MailPurpose =
  | 'verify-email'
  | 'confirm-email-change'
  | 'email-changed'
  | 'reset-password'
  | 'sign-in-link'
  | 'sign-in-code'
  | 'proof-code'
  | 'invitation';

export type Mail = {
  to: string;
  purpose: MailPurpose;
  displayName: string;
  locale: string;
  /** A mail holds either a link or a code. One that only reports a change has none of them. */
  link?: string;
  code?: string;
};

/** Resolves when the mail system has accepted the mail; rejects otherwise. */
export type Mailer = { send(mail: Mail): Promise<void> };

export type TextMessage = { to: string; text: string };

/** Sends SMS. Resolves when the gateway has accepted the message; rejects otherwise. */
export type SmsSender = { send(message: TextMessage): Promise<void> };
