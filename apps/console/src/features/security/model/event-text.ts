import type { SecurityEvent, SecurityEventKind } from '@longshore/contract';
import { MESSAGES } from '../messages.ts';

const TEXTS: Record<SecurityEventKind, string> = MESSAGES.events.texts;

/** Events that may indicate an attack. */
const WARNINGS: ReadonlySet<string> = new Set<SecurityEventKind>([
  'sign-in-refused',
  'refresh-token-reused',
  'mfa-refused',
  'security-key-cloned',
]);

/** The text of an unknown kind, from a newer server, is derived from the kind. */
export function eventText({ kind, details }: Pick<SecurityEvent, 'kind' | 'details'>): string {
  const known = TEXTS[kind as SecurityEventKind] as string | undefined;
  const text = known ?? kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('-', ' ');
  if (typeof details.left === 'string') return MESSAGES.events.left(text, details.left);
  return details.by === 'recovery-code' ? MESSAGES.events.byRecoveryCode(text) : text;
}

export function isWarning(kind: string): boolean {
  return WARNINGS.has(kind);
}
