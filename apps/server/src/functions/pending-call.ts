import type { Clock } from '@longshore/edge-contract';
import { functionStopped, functionTimedOut } from './function-problems.ts';
import { createThreadBody, type ThreadBody } from './thread-body.ts';
import type { ResponseMessage } from './thread-messages.ts';

/** A call that was posted to a worker thread. */
export type PendingCall = {
  readonly response: Promise<Response>;
  /** Whether the thread has started to run the handler. */
  hasStarted: boolean;
  isTimedOut: boolean;
  respond(message: ResponseMessage): void;
  /** Rejects the response; if the response has already started, its body fails. */
  fail(problem: Error): void;
  /** The handler has finished. The body may still be streaming. */
  handlerEnded(): void;
  /** The client has disconnected. */
  cancel(): void;
};

type PendingCallDeps = {
  timeoutMs: number;
  clock: Clock;
  onTimeout(): void;
  /** Handler and body have finished in time. */
  onFinished(): void;
};

/** Dropped from responses: they belong to the connection, or are computed again. */
const CONNECTION_HEADERS = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Tracks the response of a call and its timeout, which lasts until the last byte of the body. */
export function createPendingCall(deps: PendingCallDeps): PendingCall {
  const { timeoutMs, clock, onTimeout, onFinished } = deps;
  const response = Promise.withResolvers<Response>();
  response.promise.catch(() => {});
  let threadBody: ThreadBody | undefined;
  let hasHandlerEnded = false;
  let isCancelled = false;
  const timer = clock.setTimeout(() => {
    call.isTimedOut = true;
    call.fail(functionTimedOut(timeoutMs));
    onTimeout();
  }, timeoutMs);

  const call: PendingCall = {
    response: response.promise,
    hasStarted: false,
    isTimedOut: false,
    respond({ status, headers, body }) {
      threadBody = body === null ? undefined : createThreadBody(body, finishIfDone);
      if (isCancelled) threadBody?.cancel();
      const forwarded = headers.filter(([name]) => !CONNECTION_HEADERS.has(name));
      try {
        response.resolve(new Response(threadBody?.stream ?? null, { status, headers: forwarded }));
      } catch {
        call.fail(functionStopped());
      }
    },
    fail(problem) {
      response.reject(problem);
      threadBody?.fail(problem);
    },
    handlerEnded() {
      hasHandlerEnded = true;
      finishIfDone();
    },
    cancel() {
      isCancelled = true;
      threadBody?.cancel();
    },
  };
  return call;

  function finishIfDone(): void {
    if (!hasHandlerEnded || threadBody?.isFinished === false) return;
    clock.clearTimeout(timer);
    onFinished();
  }
}
