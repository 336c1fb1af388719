/** What a certificate authority answers when it refuses a request (RFC 8555, 6.7), or why there is no answer. */
export class AcmeProblem extends Error {
  override readonly name = 'AcmeProblem';
  /** The last part of the problem's URN, such as `rateLimited`; `unreachable` if there was no answer. */
  readonly type: string;
  /** Not before then: the value of `Retry-After`. */
  readonly retryAfterMs: number | undefined;

  constructor(
    type: string,
    detail: string,
    { retryAfterMs, ...options }: ErrorOptions & { retryAfterMs?: number | undefined } = {},
  ) {
    super(detail, options);
    this.type = type;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A problem document, as it appears in responses, orders and challenges. */
export type ProblemDocument = {
  type?: string | undefined;
  detail?: string | undefined;
  subproblems?: ProblemDocument[] | undefined;
};

const URN = 'urn:ietf:params:acme:error:';
const MAX_DETAIL_LENGTH = 500;
const MAX_RETRY_AFTER_MS = 8 * 24 * 3_600_000;

/** The text comes from outside and is stored and shown. */
export function toAcmeProblem(
  document: ProblemDocument,
  options: { status?: number; retryAfterMs?: number | undefined } = {},
): AcmeProblem {
  const { status, retryAfterMs } = options;
  const inner = document.subproblems?.map(({ detail }) => detail ?? '') ?? [];
  const texts = [document.detail ?? '', ...inner].filter((text) => text !== '');
  const detail = texts
    .join(' ')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_DETAIL_LENGTH);
  const fallback = status === undefined ? 'No reason given' : `Status ${status}`;
  const type = document.type?.startsWith(URN) ? document.type.slice(URN.length) : undefined;
  return new AcmeProblem(type ?? typeOfStatus(status), detail || fallback, { retryAfterMs });
}

function typeOfStatus(status = 0): string {
  if (status === 429) return 'rateLimited';
  return status >= 500 ? 'serverInternal' : 'malformed';
}

/** The value is a number of seconds or a date. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), MAX_RETRY_AFTER_MS);
}
