import { functionStopped } from './function-problems.ts';

/** A response body from a worker thread. `fail` ends reads that would wait forever for a thread that has exited. */
export type ThreadBody = {
  readonly stream: ReadableStream<Uint8Array>;
  /** Read to the end, cancelled or failed. */
  readonly isFinished: boolean;
  fail(problem: Error): void;
  cancel(): void;
};

export function createThreadBody(
  body: ReadableStream<unknown>,
  onFinished: () => void,
): ThreadBody {
  const reader = body.getReader();
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {});
  let isFinished = false;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await Promise.race([reader.read(), failure.promise]);
      if (!done && !(value instanceof Uint8Array)) throw functionStopped();
      if (!done) return controller.enqueue(value as Uint8Array);
      controller.close();
      finish();
    },
    cancel,
  });
  return {
    stream,
    get isFinished() {
      return isFinished;
    },
    fail(problem) {
      failure.reject(problem);
      finish();
    },
    cancel,
  };

  function cancel(): void {
    void reader.cancel().catch(() => {});
    finish();
  }

  function finish(): void {
    if (isFinished) return;
    isFinished = true;
    onFinished();
  }
}
