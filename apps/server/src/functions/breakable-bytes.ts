import { functionStopped } from './function-problem.ts';

/** Bytes from a thread that may be gone at any moment; what is on its way from one would then be waited for for ever. */
export type BreakableBytes = {
  readonly stream: ReadableStream<Uint8Array>;
  /** Read to the end, cancelled or broken. */
  readonly isThrough: boolean;
  break(problem: Error): void;
  cancel(): void;
};

export function breakableBytes(
  body: ReadableStream<unknown>,
  onThrough: () => void,
): BreakableBytes {
  const reader = body.getReader();
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => {});
  let isThrough = false;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await Promise.race([reader.read(), broken.promise]);
      if (!done && !(value instanceof Uint8Array)) throw functionStopped();
      if (!done) return controller.enqueue(value as Uint8Array);
      controller.close();
      through();
    },
    cancel,
  });
  return {
    stream,
    get isThrough() {
      return isThrough;
    },
    break(problem) {
      broken.reject(problem);
      through();
    },
    cancel,
  };

  function cancel(): void {
    void reader.cancel().catch(() => {});
    through();
  }

  function through(): void {
    if (isThrough) return;
    isThrough = true;
    onThrough();
  }
}
