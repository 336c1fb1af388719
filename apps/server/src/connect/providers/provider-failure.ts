/** Why a provider did not do as asked. */
export type FailureReason =
  | 'unauthorized'
  | 'not-found'
  | 'rate-limited'
  | 'unreachable'
  | 'not-allowed'
  | 'refused';

export type FailureOptions = ErrorOptions & {
  /** When it is worth to try again. */
  retryAt?: Date;
  /** What the provider itself said, cut short. It is shown to people as it is. */
  detail?: string;
};

/** A provider did not answer, or not as hoped. Holds no secret. */
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
