import { isRecord } from './parsed.ts';
import { areTexts, areTextsOrNull } from './texts.ts';

/**
 * How pushes reach an app. `registered`: the provider was told; `manual`: its owner enters address and secret there;
 * `off`: a push does nothing.
 */
export type Webhook = {
  state: 'off' | 'registered' | 'manual';
  url: string;
  secret: string;
  /** Why the provider could not be told, in its words or ours. */
  note?: string;
};

/** What became of a delivery. `refused` ones were not from the provider, or came twice. */
export type DeliveryOutcome = 'deployed' | 'ignored' | 'refused';

export type Delivery = {
  id: string;
  at: string;
  /** The provider's word for what happened there, such as `push`. */
  event: string;
  ref: string | null;
  commit: string | null;
  outcome: DeliveryOutcome;
  /** A sentence: what it matched, or why nothing was deployed. */
  reason: string;
  isReplay: boolean;
};

const STATES = ['off', 'registered', 'manual'];
const OUTCOMES = ['deployed', 'ignored', 'refused'];

export function isWebhook(value: unknown): value is Webhook {
  return (
    isRecord(value) &&
    areTexts(value.url, value.secret, value.note ?? '') &&
    isOneOf(STATES, value.state)
  );
}

/** Undefined for what is no answer of ours; what is no delivery is left out. */
export function decodeDeliveries(answer: unknown): Delivery[] | undefined {
  const list = isRecord(answer) ? answer.deliveries : undefined;
  return Array.isArray(list) ? list.filter(isDelivery) : undefined;
}

export function isDelivery(value: unknown): value is Delivery {
  return (
    isRecord(value) &&
    areTexts(value.id, value.at, value.event, value.reason) &&
    areTextsOrNull(value.ref, value.commit) &&
    isOneOf(OUTCOMES, value.outcome) &&
    typeof value.isReplay === 'boolean'
  );
}

function isOneOf(words: string[], word: unknown): boolean {
  return typeof word === 'string' && words.includes(word);
}
