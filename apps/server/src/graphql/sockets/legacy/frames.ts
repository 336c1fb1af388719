import type { HasuraError } from '../../hasura-error.ts';

/** What the server says in the legacy dialect, as it goes over the wire. */
export const ACK = '{"type":"connection_ack"}';
export const KEEP_ALIVE = '{"type":"ka"}';

export function connectionError(message: string): string {
  return JSON.stringify({ type: 'connection_error', payload: message });
}

/** An answer that is text already is not written anew. */
export function dataFrame(id: string, answer: string): string {
  return `{"id":${JSON.stringify(id)},"type":"data","payload":${answer}}`;
}

export function errorFrame(id: string, errors: HasuraError[]): string {
  return JSON.stringify({ id, type: 'error', payload: { errors } });
}

export function completeFrame(id: string): string {
  return JSON.stringify({ id, type: 'complete' });
}
