import { parsePhoneNumber } from '../otp/phone-number.ts';

const MAX_LENGTH = 320;

/**
 * The accounts in a request body, normalized so that upper case, spaces in a phone number or a +tag in an e-mail
 * address do not bypass the limit.
 */
export function accountsInBody(body: string): string[] {
  const { email, newEmail, phoneNumber } = parse(body);
  const accounts = [mailbox(email), mailbox(newEmail), normalizePhoneNumber(phoneNumber)];
  return [...new Set(accounts.filter((account) => account !== undefined))];
}

/** Removes the +tag of an e-mail address: mails to `ada+shop@example.com` arrive at `ada@example.com`. */
function mailbox(email: unknown): string | undefined {
  if (typeof email !== 'string' || email.trim() === '') return undefined;
  return truncate(email.trim().toLowerCase()).replace(/(?<=[^+@])\+[^@]*@/, '@');
}

function normalizePhoneNumber(phoneNumber: unknown): string | undefined {
  if (typeof phoneNumber !== 'string' || phoneNumber.trim() === '') return undefined;
  return parsePhoneNumber(phoneNumber) ?? truncate(phoneNumber);
}

function truncate(text: string): string {
  return text.slice(0, MAX_LENGTH);
}

function parse(body: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(body)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
