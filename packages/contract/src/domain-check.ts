import { isRecord } from './parsed.ts';

const STATES = ['verified', 'taken', 'elsewhere', 'missing', 'unanswered'] as const;

/**
 * What is known of a custom domain: it leads here and to this app; to another app that was verified first;
 * elsewhere; nowhere; or nobody answered in time.
 */
export type DomainState = (typeof STATES)[number];

/** `addresses`: where the domain leads now. */
export type DomainCheck = { state: DomainState; addresses: string[] };

/** Undefined for what is no answer of ours. */
export function decodeDomainCheck(answer: unknown): DomainCheck | undefined {
  if (!isRecord(answer) || !Array.isArray(answer.addresses)) return undefined;
  const state = STATES.find((word) => word === answer.state);
  const addresses = answer.addresses.filter((address) => typeof address === 'string');
  return state && { state, addresses };
}
