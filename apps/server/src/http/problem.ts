import type { ContentfulStatusCode } from 'hono/utils/http-status';

export type ProblemOptions = ErrorOptions & {
  /** More keys of the response body. */
  details?: Record<string, unknown>;
  headers?: Record<string, string>;
};

/** An error that becomes a response with the body `{status, error, message}`. */
export class Problem extends Error {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly details: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    status: ContentfulStatusCode,
    code: string,
    message: string,
    { details = {}, headers = {}, ...options }: ProblemOptions = {},
  ) {
    super(message, options);
    this.name = 'Problem';
    this.status = status;
    this.code = code;
    this.details = details;
    this.headers = headers;
  }
}

export function problemBody({ status, code, message, details }: Problem): Record<string, unknown> {
  return { ...details, status, error: code, message };
}
