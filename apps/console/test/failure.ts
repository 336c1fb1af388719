/** A failed result with the server's message. */
export function failure(message: string, error = 'failed') {
  return { ok: false as const, error: { status: 400, error, message } };
}
