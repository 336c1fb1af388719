import { areStrings, areStringsOrNull, isRecord } from './type-guards.ts';

/**
 * How pushes deploy an app. `registered`: Longshore added the webhook at the provider; `manual`: the user adds it there;
 * `off`: pushes are not deployed.
 */
export type Webhook = {
  state: 'off' | 'registered' | 'manual';
  url: string;
  secret: string;
  /** Why the webhook could not be registered: the message of the provider, or our own. */
  note?: string;
};

/** A secret URL that redeploys the app. Null: the app has none. */
export type DeployHook = { url: string | null };

/** `refused`: the signature was invalid, or the delivery was a duplicate. */
export type DeliveryOutcome = 'deployed' | 'ignored' | 'refused';

export type Delivery = {
  id: string;
  at: string;
  /** The provider's name of the event, such as `push`. */
  event: string;
  ref: string | null;
  commit: string | null;
  outcome: DeliveryOutcome;
  /** What it matched, or why nothing was deployed. */
  reason: string;
  isReplay: boolean;
};

const STATES = ['off', 'registered', 'manual'];
const OUTCOMES = ['deployed', 'ignored', 'refused'];

export function isWebhook(value: unknown): value is Webhook {
  return (
    isRecord(value) &&
    areStrings(value.url, value.secret, value.note ?? '') &&
    isOneOf(STATES, value.state)
  );
}

export function isDeployHook(value: unknown): value is DeployHook {
  return isRecord(value) && areStringsOrNull(value.url);
}

/** Undefined for a malformed response; malformed entries are skipped. */
export function decodeDeliveries(body: unknown): Delivery[] | undefined {
  const list = isRecord(body) ? body.deliveries : undefined;
  return Array.isArray(list) ? list.filter(isDelivery) : undefined;
}

/** The rows of a live query; malformed ones are skipped. */
export function decodeDeliveryRows(rows: unknown): Delivery[] {
  return Array.isArray(rows) ? rows.map(deliveryOfRow).filter(isDelivery) : [];
}

function deliveryOfRow(row: unknown): unknown {
  if (!isRecord(row)) return undefined;
  const { id, at, event, outcome, reason, is_replay: isReplay } = row;
  const { ref = null, commit = null } = isRecord(row.push) ? row.push : {};
  return { id: String(id), at, event, ref, commit, outcome, reason, isReplay };
}

export function isDelivery(value: unknown): value is Delivery {
  return (
    isRecord(value) &&
    areStrings(value.id, value.at, value.event, value.reason) &&
    areStringsOrNull(value.ref, value.commit) &&
    isOneOf(OUTCOMES, value.outcome) &&
    typeof value.isReplay === 'boolean'
  );
}

function isOneOf(allowed: string[], value: unknown): boolean {
  return typeof value === 'string' && allowed.includes(value);
}
