import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** A refusal with the body every client understands: `{status, error, message}`. */
export class Problem extends Error {
  readonly status: ContentfulStatusCode;
  readonly code: string;

  constructor(status: ContentfulStatusCode, code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Problem';
    this.status = status;
    this.code = code;
  }
}

export function problemBody({ status, code, message }: Problem): Record<string, unknown> {
  return { status, error: code, message };
}
