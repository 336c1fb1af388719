import { graphqlError, type RequestError } from './request-result.ts';

/** Why a live query stopped. */
export type LiveEnd =
  | { kind: 'stopped' }
  | { kind: 'lost' }
  | { kind: 'token-refused' }
  | { kind: 'failed'; error: RequestError };

/** The server closes with this code when it does not, or no longer, accept the token. */
const FORBIDDEN = 4403;

/** The socket library hands over GraphQL errors, a close event or an error of the network. */
export function liveEndOf(reason: unknown): LiveEnd {
  if (Array.isArray(reason)) return { kind: 'failed', error: graphqlError(reason) };
  const code =
    typeof reason === 'object' && reason !== null && 'code' in reason ? reason.code : undefined;
  return code === FORBIDDEN ? { kind: 'token-refused' } : { kind: 'lost' };
}
