/** What a mail is for. Each purpose has its own words. */
export type MailPurpose =
  | 'verify-email'
  | 'confirm-email-change'
  | 'reset-password'
  | 'sign-in-link'
  | 'sign-in-code';

export type Mail = {
  to: string;
  purpose: MailPurpose;
  displayName: string;
  locale: string;
  /** The link to follow, or the code to type. */
  link?: string;
  code?: string;
};

/** Resolves when the mail was taken over by the mail system; rejects when it was not. */
export type Mailer = { send(mail: Mail): Promise<void> };

export type TextMessage = { to: string; text: string };

/** The same for text messages to a phone. */
export type Texter = { send(message: TextMessage): Promise<void> };
