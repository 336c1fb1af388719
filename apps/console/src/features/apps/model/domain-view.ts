import type { DomainCheck } from '@longshore/contract';
import { MESSAGES } from '../messages.ts';

/** Undefined while it is looked; `unknown` when nothing could be found out. */
export type KnownCheck = DomainCheck | 'unknown' | undefined;

export type DomainView = { tone: 'good' | 'bad' | 'idle'; sentence: string; addresses: string };

export function domainView(check: KnownCheck): DomainView {
  const { domainStates } = MESSAGES;
  if (check === undefined) return { tone: 'idle', sentence: domainStates.checking, addresses: '' };
  if (check === 'unknown') return { tone: 'idle', sentence: domainStates.unknown, addresses: '' };
  const { state, addresses } = check;
  const tone = state === 'verified' ? 'good' : state === 'taken' ? 'bad' : 'idle';
  const isShown = state === 'elsewhere';
  return { tone, sentence: domainStates[state], addresses: isShown ? addresses.join(', ') : '' };
}
