import type { SecurityEventKind } from '@longshore/contract';
import { MESSAGES } from '../messages.ts';

const SENTENCES: Record<SecurityEventKind, string> = MESSAGES.events.sentences;

/** What the owner should look at twice. */
const ALARMING: ReadonlySet<string> = new Set<SecurityEventKind>([
  'sign-in-refused',
  'refresh-token-reused',
  'mfa-refused',
  'security-key-cloned',
]);

/** A kind that only a newer server knows is told by its own words. */
export function eventSentence(kind: string): string {
  const known = SENTENCES[kind as SecurityEventKind] as string | undefined;
  return known ?? kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('-', ' ');
}

export function isAlarming(kind: string): boolean {
  return ALARMING.has(kind);
}
