import { isRecord, type PersonalAccessToken } from '@longshore/contract';
import { MESSAGES } from '../messages.ts';

const DAY_MS = 86_400_000;

export const LIFETIMES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
] as const;
export type Lifetime = (typeof LIFETIMES)[number]['value'];

export function expiryAfter(lifetime: Lifetime, now: number): Date {
  return new Date(now + Number(lifetime) * DAY_MS);
}

export function isExpired({ expiresAt }: PersonalAccessToken, now: number): boolean {
  return Date.parse(expiresAt) <= now;
}

/** The console keeps the name in the metadata; other programs may keep what they like there. */
export function tokenName({ metadata }: PersonalAccessToken): string {
  const name = isRecord(metadata) ? metadata.name : undefined;
  return typeof name === 'string' && name !== '' ? name : MESSAGES.tokens.unnamed;
}
