import {
  LOG_TAIL_LINES,
  type LogLine,
  type LogsRequest,
  NDJSON_CONTENT_TYPE,
  parseJsonLogLine,
  parseLogLine,
} from '@longshore/contract';
import type { Auth } from '../auth/auth.ts';
import { withDeadline } from '../http/deadline.ts';
import type { Clock, Fetch } from '../ports.ts';
import type { LogsSelection } from './logs.ts';
import { createLineSplitter } from './split-lines.ts';

const RESPONSE_TIMEOUT_MS = 30_000;

export type LogsDeps = {
  url: string;
  clock: Clock;
  fetch: Fetch;
  auth: Pick<Auth, 'accessToken'>;
};

/**
 * The lines of one response of the logs service. They are requested with sequence numbers, so that a later request can
 * continue after the last one; a server that does not support that sends plain text. Throws `LogsFailure`.
 */
export async function* openLogs(
  { url, clock, fetch, auth }: LogsDeps,
  selection: LogsSelection,
  { signal, onOpen }: { signal: AbortSignal; onOpen?: () => void },
): AsyncGenerator<LogLine, void, undefined> {
  const token = await auth.accessToken();
  if (token === undefined) throw new LogsFailure('no-token', 'No access token available');
  const response = await withDeadline({ clock, timeoutMs: RESPONSE_TIMEOUT_MS, signal }, (signal) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: `${NDJSON_CONTENT_TYPE}, text/plain`,
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify(withDefaults(selection)),
      signal,
    }),
  );
  if (!response.ok) throw fetchFailed(response.status);
  if (response.body === null) throw new LogsFailure('unavailable', 'Stream not available');

  onOpen?.();
  const isNumbered = response.headers.get('content-type')?.startsWith(NDJSON_CONTENT_TYPE);
  const parse = isNumbered ? parseJsonLogLine : parseLogLine;
  const splitter = createLineSplitter();
  for await (const chunk of chunksOf(response.body)) yield* splitter.push(chunk).map(parse);
  yield* splitter.end().map(parse);
}

/** The defaults of spec-map 7.6.1. */
function withDefaults(selection: LogsSelection): LogsRequest {
  return { follow: true, previous: false, tailLines: LOG_TAIL_LINES, ...selection };
}

/** Not every browser supports `for await` on a stream. */
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

/** Exact messages (spec-map 8.2.2–5), and whether a retry could help. */
export class LogsFailure extends Error {
  override name = 'LogsFailure';
  readonly reason: 'no-token' | 'rejected' | 'token-rejected' | 'unavailable';

  constructor(reason: LogsFailure['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

function fetchFailed(status: number): LogsFailure {
  return new LogsFailure(reasonOf(status), `Failed to fetch logs: ${status}`);
}

function reasonOf(status: number): LogsFailure['reason'] {
  if (status === 401) return 'token-rejected';
  const isTemporary = status >= 500 || status === 408 || status === 429;
  return isTemporary ? 'unavailable' : 'rejected';
}
