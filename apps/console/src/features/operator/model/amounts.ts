import type { OperatedUser } from '@longshore/contract';
import { MESSAGES } from '../messages.ts';
import { QUOTA_NAMES, type QuotaName } from './quota-fields.ts';

const { users: TEXTS } = MESSAGES;
const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

export function bytesText(bytes: number): string {
  if (bytes < GIB) return `${Math.round(bytes / MIB)} MB`;
  return `${(bytes / GIB).toFixed(1).replace(/\.0$/, '')} GB`;
}

type UsagePart = { name: QuotaName; label: string; text: string; isReached: boolean };

/** What a user uses of each quota, such as `3 of 20`. */
export function usageParts(usage: OperatedUser['usage']): UsagePart[] {
  return QUOTA_NAMES.map((name) => {
    const { used, limit } = usage[name];
    const text = (amount: number) =>
      name === 'memoryBytes' || name === 'diskBytes' ? bytesText(amount) : String(amount);
    const amount = used === null ? TEXTS.notMeasured : text(used);
    return {
      name,
      label: TEXTS.usage[name],
      text: limit === null || used === null ? amount : TEXTS.of(amount, text(limit)),
      isReached: used !== null && limit !== null && used >= limit && name !== 'builds',
    };
  });
}

/** `sign-in-refused` becomes `Sign in refused`. */
export function eventText(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('-', ' ');
}
