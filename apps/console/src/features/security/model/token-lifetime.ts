import { isRecord, type PersonalAccessToken } from '@longshore/contract';
import { MESSAGES } from '../messages.ts';

const DAY_MS = 86_400_000;

export const LIFETIMES = [
  { value: '7', label: MESSAGES.tokens.lifetimes[7] },
  { value: '30', label: MESSAGES.tokens.lifetimes[30] },
  { value: '90', label: MESSAGES.tokens.lifetimes[90] },
  { value: '365', label: MESSAGES.tokens.lifetimes[365] },
] as const;
export type Lifetime = (typeof LIFETIMES)[number]['value'];

export function expiryAfter(lifetime: Lifetime, now: number): Date {
  return new Date(now + Number(lifetime) * DAY_MS);
}

export function isExpired({ expiresAt }: PersonalAccessToken, now: number): boolean {
  return Date.parse(expiresAt) <= now;
}

/** The console stores the name in the metadata; other clients may store anything there. */
export function tokenName({ metadata }: PersonalAccessToken): string {
  const name = isRecord(metadata) ? metadata.name : undefined;
  return typeof name === 'string' && name !== '' ? name : MESSAGES.tokens.unnamed;
}
