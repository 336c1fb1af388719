import type { SecurityEventKind } from '@longshore/contract';
import { MESSAGES } from '../messages.ts';

const TEXTS: Record<SecurityEventKind, string> = MESSAGES.events.texts;

/** Events that may mean an attack. */
const WARNINGS: ReadonlySet<string> = new Set<SecurityEventKind>([
  'sign-in-refused',
  'refresh-token-reused',
  'mfa-refused',
  'security-key-cloned',
]);

/** For an event kind of a newer server, the text is made from the kind itself. */
export function eventText(kind: string): string {
  const known = TEXTS[kind as SecurityEventKind] as string | undefined;
  return known ?? kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('-', ' ');
}

export function isWarning(kind: string): boolean {
  return WARNINGS.has(kind);
}
