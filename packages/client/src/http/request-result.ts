import { isRecord } from '@longshore/contract';

/** Why a request failed. `error` is a code, `message` a text to show. */
export type RequestError = { status: number; error: string; message: string };

export type RequestResult<Data> = { ok: true; data: Data } | { ok: false; error: RequestError };

export function failure(error: RequestError): { ok: false; error: RequestError } {
  return { ok: false, error };
}

/** Reads the response of a GraphQL server over HTTP. */
export function readGraphqlBody(
  text: string,
  { ok, status, statusText }: { ok: boolean; status: number; statusText: string },
): RequestResult<unknown> {
  const body = parseJson(text);
  const errors = isRecord(body) ? body.errors : undefined;
  if (Array.isArray(errors) && errors.length > 0) return failure(graphqlError(errors, status));
  if (!ok) return failure({ status, error: statusText || 'unknown', message: messageOf(body) });
  return isRecord(body) && isRecord(body.data) ? { ok: true, data: body.data } : invalidResponse();
}

/** Only the first error is used: the server stops at the first one. */
export function graphqlError(errors: readonly unknown[], status = 200): RequestError {
  const first = isRecord(errors[0]) ? errors[0] : {};
  const { code } = isRecord(first.extensions) ? first.extensions : {};
  return {
    status,
    error: typeof code === 'string' ? code : 'graphql-error',
    message: typeof first.message === 'string' ? first.message : 'Something went wrong',
  };
}

export function abortError() {
  return failure({ status: 0, error: 'abort-error', message: 'The request was aborted' });
}

export function networkFailure() {
  return failure({ status: 500, error: 'unknown', message: 'Network Error' });
}

function invalidResponse() {
  return failure({
    status: 0,
    error: 'invalid-response',
    message: 'incorrect response data from GraphQL server',
  });
}

function messageOf(body: unknown): string {
  return isRecord(body) && typeof body.message === 'string' ? body.message : 'Something went wrong';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
