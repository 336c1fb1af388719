export type OutboundRequest = {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
};

/**
 * Sends a request to an outside host on behalf of a user. `createGuardedFetch` is the only implementation. Resolves
 * when the whole response has arrived. Throws an `OutboundFailure`.
 */
export type OutboundFetch = (url: string, request?: OutboundRequest) => Promise<Response>;

/** `not-allowed`: the URL is invalid or points into a private network. */
export type OutboundReason =
  | 'not-allowed'
  | 'unreachable'
  | 'too-slow'
  | 'too-large'
  | 'redirected';

export class OutboundFailure extends Error {
  readonly reason: OutboundReason;

  constructor(reason: OutboundReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutboundFailure';
    this.reason = reason;
  }
}
