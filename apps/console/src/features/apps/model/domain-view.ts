import type { DomainCheck } from '@longshore/contract';
import { MESSAGES } from '../messages.ts';

/** Undefined while the check runs; `unknown` when it failed. */
export type CheckState = DomainCheck | 'unknown' | undefined;

export type DomainView = { tone: 'good' | 'bad' | 'idle'; text: string; addresses: string };

export function domainView(check: CheckState): DomainView {
  const { domainStates } = MESSAGES;
  if (check === undefined) return { tone: 'idle', text: domainStates.checking, addresses: '' };
  if (check === 'unknown') return { tone: 'idle', text: domainStates.unknown, addresses: '' };
  const { state, addresses } = check;
  const tone = state === 'verified' ? 'good' : state === 'taken' ? 'bad' : 'idle';
  const isShown = state === 'elsewhere';
  return { tone, text: domainStates[state], addresses: isShown ? addresses.join(', ') : '' };
}
