import { parsePhoneNumber } from '../otp/phone-number.ts';

const MAX_LENGTH = 320;

/**
 * Every account a body speaks of, each written in one way: a further field, another case, a space in a number or a tag
 * in an address must not make it somebody else's.
 */
export function accountsOf(body: string): string[] {
  const { email, newEmail, phoneNumber } = parse(body);
  const named = [mailbox(email), mailbox(newEmail), dialled(phoneNumber)];
  return [...new Set(named.filter((account) => account !== undefined))];
}

/** Where the mails to an address arrive: `ada+shop@example.com` is read by ada. */
function mailbox(email: unknown): string | undefined {
  if (typeof email !== 'string' || email.trim() === '') return undefined;
  return bounded(email.trim().toLowerCase()).replace(/(?<=[^+@])\+[^@]*@/, '@');
}

function dialled(phoneNumber: unknown): string | undefined {
  if (typeof phoneNumber !== 'string' || phoneNumber.trim() === '') return undefined;
  return parsePhoneNumber(phoneNumber) ?? bounded(phoneNumber);
}

function bounded(text: string): string {
  return text.slice(0, MAX_LENGTH);
}

function parse(body: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(body)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
