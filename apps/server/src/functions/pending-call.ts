import type { Clock } from '../clock.ts';
import { type BreakableBytes, breakableBytes } from './breakable-bytes.ts';
import { functionOverdue, functionStopped } from './function-problem.ts';
import type { AnswerMessage } from './messages.ts';

/** A call that a thread was given. */
export type PendingCall = {
  readonly response: Promise<Response>;
  /** Whether the thread has got to it. */
  isBegun: boolean;
  isOverdue: boolean;
  answer(message: AnswerMessage): void;
  /** Before the answer it becomes one; in the middle of it, it breaks off. */
  fail(problem: Error): void;
  /** The thread is through with it, but for bytes on their way. */
  end(): void;
  /** Nobody waits for the answer any more. */
  leave(): void;
};

type PendingDeps = {
  timeoutMs: number;
  clock: Clock;
  onOverdue(): void;
  /** Thread and bytes are through, in time. */
  onOver(): void;
};

/** Never set by a function: they belong to the connection, or are counted anew. */
const CONNECTION_HEADERS = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Holds the answer of a call and its time limit, which counts until the last byte. */
export function createPendingCall(deps: PendingDeps): PendingCall {
  const { timeoutMs, clock, onOverdue, onOver } = deps;
  const response = Promise.withResolvers<Response>();
  response.promise.catch(() => {});
  let bytes: BreakableBytes | undefined;
  let hasEnded = false;
  let hasLeft = false;
  const timer = clock.setTimeout(() => {
    call.isOverdue = true;
    call.fail(functionOverdue(timeoutMs));
    onOverdue();
  }, timeoutMs);

  const call: PendingCall = {
    response: response.promise,
    isBegun: false,
    isOverdue: false,
    answer({ status, headers, body }) {
      bytes = body === null ? undefined : breakableBytes(body, overIfThrough);
      if (hasLeft) bytes?.cancel();
      const kept = headers.filter(([name]) => !CONNECTION_HEADERS.has(name));
      try {
        response.resolve(new Response(bytes?.stream ?? null, { status, headers: kept }));
      } catch {
        call.fail(functionStopped());
      }
    },
    fail(problem) {
      response.reject(problem);
      bytes?.break(problem);
    },
    end() {
      hasEnded = true;
      overIfThrough();
    },
    leave() {
      hasLeft = true;
      bytes?.cancel();
    },
  };
  return call;

  function overIfThrough(): void {
    if (!hasEnded || bytes?.isThrough === false) return;
    clock.clearTimeout(timer);
    onOver();
  }
}
