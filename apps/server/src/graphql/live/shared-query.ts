import { hash } from 'node:crypto';
import { isTransient, type LiveResult, liveResult } from './live-result.ts';
import { createThrottledRun, type ThrottledRunDeps } from './throttled-run.ts';

export type Subscriber = (result: LiveResult) => void;

export type SharedQuery = {
  /** Sends the current result, and each new one. */
  add(subscriber: Subscriber): void;
  /** Returns whether no subscriber is left. */
  remove(subscriber: Subscriber): boolean;
  /** The rows of the query may have changed. */
  invalidate(): void;
};

export type SharedQueryDeps = Omit<ThrottledRunDeps, 'run'> & {
  /** The response as JSON text. Never rejects. */
  execute: () => Promise<string>;
};

/** One execution for all subscribers of the same query. */
export function createSharedQuery({ execute, schedule, clock }: SharedQueryDeps): SharedQuery {
  /** With the digest of the last result that each one received. */
  const subscribers = new Map<Subscriber, string | undefined>();
  const throttled = createThrottledRun({
    schedule,
    clock,
    async run() {
      const result = liveResult(await execute());
      if (isTransient(result)) return 'failed';
      publish(result);
      return 'done';
    },
  });

  function publish(result: LiveResult): void {
    const digest = hash('sha256', result.text, 'base64');
    for (const [subscriber, lastDigest] of subscribers) {
      if (lastDigest === digest) continue;
      subscribers.set(subscriber, digest);
      subscriber(result);
    }
  }

  return {
    invalidate: throttled.invalidate,
    add(subscriber) {
      subscribers.set(subscriber, undefined);
      throttled.invalidate();
    },
    remove(subscriber) {
      subscribers.delete(subscriber);
      if (subscribers.size === 0) throttled.stop();
      return subscribers.size === 0;
    },
  };
}
