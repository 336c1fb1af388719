import type { CallMessage, FromThread } from '../messages.ts';
import type { Handler } from './load-handler.ts';

type RunDeps = {
  handler: Handler;
  tell(message: FromThread, transfer?: ReadableStream[]): void;
  signal: AbortSignal;
};

/** Runs one call and hands its answer over. Resolves when the handler is over; never throws. */
export async function runCall(
  { id, method, url, headers, body, context }: CallMessage,
  { handler, tell, signal }: RunDeps,
): Promise<void> {
  tell({ kind: 'begun', id });
  try {
    const request = new Request(url, { method, headers, body, signal });
    const response = await handler(request, context);
    if (!(response instanceof Response)) throw new TypeError('The function answered no Response');
    const { status, body: bytes } = response;
    tell(
      { kind: 'answer', id, status, headers: [...response.headers], body: bytes },
      bytes === null ? [] : [bytes],
    );
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    tell({ kind: 'failed', id, error: plainError(error) });
  }
}

/** Without properties of its own: they may hold what no other thread can be given. */
function plainError({ name, message, stack }: Error): Error {
  return Object.assign(new Error(message), { name, stack });
}
