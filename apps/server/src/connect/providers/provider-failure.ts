/** Why a request to a provider failed. */
export type FailureReason =
  | 'unauthorized'
  | 'not-found'
  | 'rate-limited'
  | 'unreachable'
  | 'not-allowed'
  | 'refused';

export type FailureOptions = ErrorOptions & {
  /** The earliest time for another attempt. */
  retryAt?: Date;
  /** The provider's own message, truncated. It is shown to users. */
  detail?: string;
};

/** A request to a provider failed. Contains no secrets. */
export class ProviderFailure extends Error {
  readonly reason: FailureReason;
  readonly retryAt: Date | undefined;
  readonly detail: string | undefined;

  constructor(reason: FailureReason, { retryAt, detail, ...options }: FailureOptions = {}) {
    super(detail === undefined ? reason : `${reason}: ${detail}`, options);
    this.name = 'ProviderFailure';
    this.reason = reason;
    this.retryAt = retryAt;
    this.detail = detail;
  }
}
