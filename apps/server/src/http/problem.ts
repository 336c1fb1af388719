import type { ContentfulStatusCode } from 'hono/utils/http-status';

export type ProblemOptions = ErrorOptions & {
  /** What else the body says. */
  details?: Record<string, unknown>;
  headers?: Record<string, string>;
};

/** A refusal with the body every client understands: `{status, error, message}`. */
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
