import { isRecord } from '@longshore/contract';
import type { HasuraError } from '../../hasura-error.ts';
import type { OperationRequest } from '../../operation.ts';

/** A message of a client of `subscriptions-transport-ws`. */
export type LegacyMessage =
  | { type: 'connection_init'; payload: unknown }
  | { type: 'start'; id: string; payload: OperationRequest }
  | { type: 'stop'; id: string }
  | { type: 'connection_terminate' }
  | { type: 'unreadable'; why: string };

export function parseLegacyMessage(text: string): LegacyMessage {
  const message = jsonOf(text);
  if (!isRecord(message)) return unreadable('A message must be a JSON object');
  const { type, id, payload } = message;
  if (type === 'connection_init') return { type, payload };
  if (type === 'connection_terminate') return { type };
  if (type !== 'start' && type !== 'stop') return unreadable('Unknown message type');
  if (typeof id !== 'string' || id === '') return unreadable(`A ${type} message needs an id`);
  if (type === 'stop') return { type, id };
  return isRecord(payload)
    ? { type, id, payload }
    : unreadable('A start message needs a payload with a query');
}

function unreadable(why: string): LegacyMessage {
  return { type: 'unreadable', why };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Messages of the server. */
export const ACK = '{"type":"connection_ack"}';
export const KEEP_ALIVE = '{"type":"ka"}';

export function connectionError(message: string): string {
  return JSON.stringify({ type: 'connection_error', payload: message });
}

/** The result is JSON text already. */
export function dataFrame(id: string, result: string): string {
  return `{"id":${JSON.stringify(id)},"type":"data","payload":${result}}`;
}

export function errorFrame(id: string, errors: HasuraError[]): string {
  return JSON.stringify({ id, type: 'error', payload: { errors } });
}

export function completeFrame(id: string): string {
  return JSON.stringify({ id, type: 'complete' });
}
