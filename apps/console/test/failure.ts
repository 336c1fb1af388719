/** A failed result with the server's message. */
export function failure(message: string, error = 'failed') {
  return { ok: false as const, error: { status: 400, error, message } };
}

/** The result of a request without a response, as the client returns it. */
export function networkFailure() {
  return { ok: false as const, error: { status: 500, error: 'unknown', message: 'Network Error' } };
}
