import type { SecurityEventKind } from '@longshore/contract';
import { MESSAGES } from '../messages.ts';

const TEXTS: Record<SecurityEventKind, string> = MESSAGES.events.texts;

/** What the owner should look at twice. */
const WARNINGS: ReadonlySet<string> = new Set<SecurityEventKind>([
  'sign-in-refused',
  'refresh-token-reused',
  'mfa-refused',
  'security-key-cloned',
]);

/** A kind that only a newer server knows is told by its own words. */
export function eventText(kind: string): string {
  const known = TEXTS[kind as SecurityEventKind] as string | undefined;
  return known ?? kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('-', ' ');
}

export function isWarning(kind: string): boolean {
  return WARNINGS.has(kind);
}
