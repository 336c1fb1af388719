import { LOG_TAIL_LINES, type LogLine, SOCKET_BACKOFF_MAX_MS } from '@longshore/contract';
import type { Auth } from '../auth/auth.ts';
import type { Visibility } from '../ports.ts';
import { reconnectDelayMs } from '../timing/backoff.ts';
import { wait } from '../timing/wait.ts';
import { whileVisible } from '../timing/while-visible.ts';
import { createContinuation } from './continuation.ts';
import type { FollowState, LogsOptions, LogsWish } from './logs.ts';
import { LogsFailure } from './logs-failure.ts';
import { type LogsDeps, openLogs } from './open-logs.ts';

/** Enough to find the place again, and to fetch what an outage of minutes has missed. */
const REMEMBERED_LINES = 1_000;

export type FollowDeps = LogsDeps & {
  auth: Pick<Auth, 'state' | 'accessToken' | 'refresh'>;
  visibility?: Visibility;
};
export type FollowOptions = LogsOptions & { onState?(state: FollowState): void };

const ALWAYS_VISIBLE: Visibility = { isVisible: () => true, listen: () => () => undefined };

/**
 * Streams, and streams on after every end, until aborted. Not while the page is hidden: a browser has six connections
 * to a server that speaks HTTP/1.1, and a stream takes one of them. Six tabs in the background would keep the next from
 * loading.
 */
export async function followLogs(
  deps: FollowDeps,
  wish: LogsWish,
  options: FollowOptions,
): Promise<void> {
  const { clock, visibility = ALWAYS_VISIBLE } = deps;
  const { signal } = options;
  const onState = onlyChanges(options.onState);
  const seen: LogLine[] = [];
  let failedAttempts = 0;
  onState('connecting');

  while (!signal.aborted) {
    const startedAt = clock.now();
    const failure = await whileVisible(visibility, signal, (signal) =>
      streamOnce(deps, continued(wish, seen), { ...options, signal, onState, seen }),
    );
    if (signal.aborted) return;
    if (failure === 'hidden') continue;
    if (failure !== undefined && isFinal(deps, failure)) throw failure;
    onState('reconnecting');
    const wasSteady = clock.now() - startedAt >= SOCKET_BACKOFF_MAX_MS;
    failedAttempts = wasSteady ? 1 : failedAttempts + 1;
    await wait(clock, reconnectDelayMs(failedAttempts), signal);
    if (isTokenRefused(failure)) await deps.auth.refresh();
  }
}

/** Answers what went wrong, or nothing when the stream simply ended. Adds to `seen`. */
async function streamOnce(
  deps: FollowDeps,
  wish: LogsWish,
  { signal, onLine, onState, seen }: FollowOptions & { seen: LogLine[] },
): Promise<unknown> {
  const continuation = createContinuation(isNumbered(seen) ? [] : [...seen]);
  const show = (lines: LogLine[]) => {
    for (const line of lines) onLine(line);
    seen.push(...lines);
    seen.splice(0, seen.length - REMEMBERED_LINES);
  };
  try {
    for await (const line of openLogs(deps, wish, { signal, onOpen: () => onState?.('open') })) {
      show(continuation.push(line));
    }
    return undefined;
  } catch (cause) {
    return cause;
  } finally {
    if (!signal.aborted) show(continuation.end());
  }
}

/** After the last line, if its place is known; otherwise with enough lines again to find the place. */
function continued(wish: LogsWish, seen: readonly LogLine[]): LogsWish {
  const after = seen.at(-1)?.sequence;
  if (after !== undefined) return { ...wish, follow: true, after };
  const tailLines = wish.tailLines ?? LOG_TAIL_LINES;
  return {
    ...wish,
    follow: true,
    tailLines: seen.length === 0 ? tailLines : Math.max(tailLines, REMEMBERED_LINES),
  };
}

function isNumbered(seen: readonly LogLine[]): boolean {
  return seen.at(-1)?.sequence !== undefined;
}

function isFinal({ auth }: FollowDeps, failure: unknown): boolean {
  if (!(failure instanceof LogsFailure)) return false;
  if (failure.reason === 'no-token') return auth.state().kind !== 'signed-in';
  return failure.reason === 'refused';
}

function isTokenRefused(failure: unknown): boolean {
  return failure instanceof LogsFailure && failure.reason === 'token-refused';
}

function onlyChanges(onState: FollowOptions['onState']): (state: FollowState) => void {
  let last: FollowState | undefined;
  return (state) => {
    if (state !== last) onState?.(state);
    last = state;
  };
}
