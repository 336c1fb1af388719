/** Tells that rows may have changed. Answers how to stop listening. */
export type OnChange = (changed: () => void) => () => void;

/**
 * A live query: the whole answer at once, and again after each change that altered it. Changes that come
 * while an answer is being made, or waits for a slow reader, count as one: nothing queues up. It is written
 * out, not as a generator, because a generator that waits cannot be ended before its next change.
 */
export function liveQuery<Answer>(
  run: () => Promise<Answer>,
  onChange: OnChange,
): AsyncGenerator<Answer, void, void> {
  let isStale = true;
  let isEnded = false;
  let last: string | undefined;
  let wake = () => {};
  const stop = onChange(() => {
    isStale = true;
    wake();
  });
  const end = async () => {
    isEnded = true;
    stop();
    wake();
    return { done: true, value: undefined } as const;
  };

  return {
    async next() {
      while (!isEnded) {
        if (!isStale) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          continue;
        }
        isStale = false;
        const answer = await run();
        const text = JSON.stringify(answer);
        if (isEnded || text === last) continue;
        last = text;
        return { done: false, value: answer };
      }
      return { done: true, value: undefined };
    },
    return: end,
    async throw(error) {
      await end();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await end();
    },
  };
}
