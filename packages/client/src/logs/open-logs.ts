import {
  LOG_TAIL_LINES,
  type LogLine,
  type LogsRequest,
  NDJSON_CONTENT_TYPE,
  parseJsonLogLine,
  parseLogLine,
} from '@longshore/contract';
import type { Auth } from '../auth/auth.ts';
import type { Clock, Fetch } from '../ports.ts';
import { withDeadline } from '../timing/deadline.ts';
import type { LogsWish } from './logs.ts';
import { fetchFailed, noStream, noToken } from './logs-failure.ts';
import { createLineSplitter } from './split-lines.ts';

const ANSWER_TIMEOUT_MS = 30_000;

export type LogsDeps = {
  url: string;
  clock: Clock;
  fetch: Fetch;
  auth: Pick<Auth, 'accessToken'>;
};

/**
 * The lines of one response of the logs service. They are asked for with their places, so that one can go on after the
 * last of them; a server that knows nothing of that sends them as text. Throws the sentences of spec §8.
 */
export async function* openLogs(
  { url, clock, fetch, auth }: LogsDeps,
  wish: LogsWish,
  { signal, onOpen }: { signal: AbortSignal; onOpen?: () => void },
): AsyncGenerator<LogLine, void, undefined> {
  const token = await auth.accessToken();
  if (token === undefined) throw noToken();
  const response = await withDeadline({ clock, timeoutMs: ANSWER_TIMEOUT_MS, signal }, (signal) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: `${NDJSON_CONTENT_TYPE}, text/plain`,
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify(withDefaults(wish)),
      signal,
    }),
  );
  if (!response.ok) throw fetchFailed(response.status);
  if (response.body === null) throw noStream();

  onOpen?.();
  const isNumbered = response.headers.get('content-type')?.startsWith(NDJSON_CONTENT_TYPE);
  const parse = isNumbered ? parseJsonLogLine : parseLogLine;
  const splitter = createLineSplitter();
  for await (const chunk of chunksOf(response.body)) yield* splitter.push(chunk).map(parse);
  yield* splitter.end().map(parse);
}

/** Spec §7, Logs service. */
function withDefaults(wish: LogsWish): LogsRequest {
  return { follow: true, previous: false, tailLines: LOG_TAIL_LINES, ...wish };
}

/** Not every browser can iterate a stream. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
