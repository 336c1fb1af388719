import { isRecord } from '@longshore/contract';
import type { OperationRequest } from '../../operation.ts';

/** What a client of `subscriptions-transport-ws` can say. */
export type LegacyMessage =
  | { type: 'connection_init'; payload: unknown }
  | { type: 'start'; id: string; payload: OperationRequest }
  | { type: 'stop'; id: string }
  | { type: 'connection_terminate' }
  | { type: 'unreadable'; why: string };

export function readLegacyMessage(text: string): LegacyMessage {
  const message = jsonOf(text);
  if (!isRecord(message)) return unreadable('A message is a JSON object');
  const { type, id, payload } = message;
  if (type === 'connection_init') return { type, payload };
  if (type === 'connection_terminate') return { type };
  if (type !== 'start' && type !== 'stop') return unreadable('The type of a message is unknown');
  if (typeof id !== 'string' || id === '') return unreadable(`A ${type} names an id`);
  if (type === 'stop') return { type, id };
  return isRecord(payload)
    ? { type, id, payload }
    : unreadable('A start has a payload with a query');
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
