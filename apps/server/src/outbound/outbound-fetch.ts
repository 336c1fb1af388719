export type OutboundRequest = {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
};

/**
 * How the server asks the outside world for a user: `createGuardedFetch` makes the only one. The whole answer has
 * arrived when it is handed over. Throws an `OutboundFailure`.
 */
export type OutboundFetch = (url: string, request?: OutboundRequest) => Promise<Response>;

/** `not-allowed`: the address leads into a private network, or is none that may be called. */
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
