import { LOG_TAIL_LINES, type LogLine, SOCKET_BACKOFF_MAX_MS } from '@longshore/contract';
import type { Auth } from '../auth/auth.ts';
import type { Visibility } from '../ports.ts';
import { reconnectDelayMs } from '../timing/backoff.ts';
import { wait } from '../timing/wait.ts';
import { whileVisible } from '../timing/while-visible.ts';
import { createContinuation } from './continuation.ts';
import type { FollowState, Logs, LogsOptions, LogsSelection } from './logs.ts';
import { type LogsDeps, LogsFailure, openLogs } from './open-logs.ts';
import { createStoredLogs } from './stored-logs.ts';

/** Enough to find the overlap after a reconnect, and to load the lines missed in an outage of some minutes. */
const REMEMBERED_LINES = 1_000;

export type FollowLogsDeps = LogsDeps & {
  auth: Pick<Auth, 'state' | 'accessToken' | 'refresh'>;
  visibility?: Visibility | undefined;
};
type FollowOptions = LogsOptions & { onState?(state: FollowState): void };

const ALWAYS_VISIBLE: Visibility = { isVisible: () => true, listen: () => () => undefined };

export function createLogs(deps: FollowLogsDeps): Logs {
  return {
    async stream(selection, { signal, onLine }) {
      try {
        for await (const line of openLogs(deps, selection, { signal })) onLine(line);
      } catch (cause) {
        if (!signal.aborted) throw cause;
      }
    },
    follow: (selection, options) => followLogs(deps, selection, options),
    ...createStoredLogs(deps),
  };
}

/**
 * Streams until aborted and reconnects whenever a response ends. Pauses while the page is hidden: browsers open at most
 * six HTTP/1.1 connections to a server and each stream uses one, so six background tabs would block the next page.
 */
async function followLogs(
  deps: FollowLogsDeps,
  selection: LogsSelection,
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
      streamOnce(deps, continued(selection, seen), { ...options, signal, onState, seen }),
    );
    if (signal.aborted) return;
    if (failure === 'hidden') continue;
    if (failure !== undefined && isFinal(deps, failure)) throw failure;
    onState('reconnecting');
    const wasStable = clock.now() - startedAt >= SOCKET_BACKOFF_MAX_MS;
    failedAttempts = wasStable ? 1 : failedAttempts + 1;
    await wait(clock, reconnectDelayMs(failedAttempts), signal);
    if (isTokenRejected(failure)) await deps.auth.refresh();
  }
}

/** Returns the error, or undefined if the stream ended normally. Adds the lines to `seen`. */
async function streamOnce(
  deps: FollowLogsDeps,
  selection: LogsSelection,
  { signal, onLine, onState, seen }: FollowOptions & { seen: LogLine[] },
): Promise<unknown> {
  const continuation = createContinuation(isNumbered(seen) ? [] : [...seen]);
  const show = (lines: LogLine[]) => {
    for (const line of lines) onLine(line);
    seen.push(...lines);
    seen.splice(0, seen.length - REMEMBERED_LINES);
  };
  try {
    for await (const line of openLogs(deps, selection, {
      signal,
      onOpen: () => onState?.('open'),
    })) {
      show(continuation.push(line));
    }
    return undefined;
  } catch (cause) {
    return cause;
  } finally {
    if (!signal.aborted) show(continuation.end());
  }
}

/** Continues after the last line if it has a sequence number; otherwise requests enough lines to find the overlap. */
function continued(selection: LogsSelection, seen: readonly LogLine[]): LogsSelection {
  const after = seen.at(-1)?.sequence;
  if (after !== undefined) return { ...selection, follow: true, after };
  const tailLines = selection.tailLines ?? LOG_TAIL_LINES;
  return {
    ...selection,
    follow: true,
    tailLines: seen.length === 0 ? tailLines : Math.max(tailLines, REMEMBERED_LINES),
  };
}

function isNumbered(seen: readonly LogLine[]): boolean {
  return seen.at(-1)?.sequence !== undefined;
}

function isFinal({ auth }: FollowLogsDeps, failure: unknown): boolean {
  if (!(failure instanceof LogsFailure)) return false;
  if (failure.reason === 'no-token') return auth.state().kind !== 'signed-in';
  return failure.reason === 'rejected';
}

function isTokenRejected(failure: unknown): boolean {
  return failure instanceof LogsFailure && failure.reason === 'token-rejected';
}

function onlyChanges(onState: FollowOptions['onState']): (state: FollowState) => void {
  let last: FollowState | undefined;
  return (state) => {
    if (state !== last) onState?.(state);
    last = state;
  };
}
