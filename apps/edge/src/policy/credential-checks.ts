import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Clock, isPassword, networkOf } from '@longshore/edge-contract';
import type { Credentials } from './credentials.ts';
import type { BasicAuth, CheckResult } from './decide-policy.ts';

type Check = { basicAuth: BasicAuth; credentials: Credentials };

/**
 * Checks credentials against the hash of a password. A hash takes a core for a fifth of a second, so results are kept, one
 * hash is computed at a time, and wrong passwords are limited per address. Known credentials always pass at once.
 */
export type CredentialChecks = {
  /** The promise is never rejected. */
  check(check: Check, address: string): CheckResult | Promise<CheckResult>;
};

type CheckLimits = {
  /** Results that are kept, right and wrong ones separately. */
  results: number;
  waiting: number;
  waitingPerApp: number;
  waitingPerAddress: number;
  /** Wrong passwords for one app from one address, within the window. */
  wrongPerAddress: number;
  windowMs: number;
  /** Counters that are kept. */
  counters: number;
};

const LIMITS: CheckLimits = {
  results: 2_000,
  waiting: 32,
  waitingPerApp: 16,
  waitingPerAddress: 4,
  wrongPerAddress: 10,
  windowMs: 60_000,
  counters: 10_000,
};

export type CheckDeps = {
  clock: Pick<Clock, 'now'>;
  isPassword?: typeof isPassword;
  limits?: Partial<CheckLimits>;
};

type Counter = { wrong: number; waiting: number; since: number };

export function createCredentialChecks(deps: CheckDeps): CredentialChecks {
  const { clock } = deps;
  const verify = deps.isPassword ?? isPassword;
  const limits = { ...LIMITS, ...deps.limits };
  /** Results are found by a keyed hash: no password stays in memory. */
  const key = randomBytes(32);
  const right = new Set<string>();
  const wrong = new Set<string>();
  const pending = new Map<string, Promise<CheckResult>>();
  const counters = new Map<string, Counter>();
  let last: Promise<unknown> = Promise.resolve();

  return {
    check(check, address) {
      const digest = digestOf(check);
      if (right.has(digest)) return 'right';
      const { passwordHash } = check.basicAuth;
      const perAddress = counterOf(`${passwordHash} ${networkOf(address)}`);
      if (perAddress.wrong >= limits.wrongPerAddress) return 'limited';
      if (wrong.has(digest)) return 'wrong';
      const running = pending.get(digest);
      if (running !== undefined) return running;
      const perApp = counterOf(passwordHash);
      const isFull =
        pending.size >= limits.waiting ||
        perApp.waiting >= limits.waitingPerApp ||
        perAddress.waiting >= limits.waitingPerAddress;
      if (isFull) return 'limited';
      for (const counter of [perApp, perAddress]) counter.waiting += 1;
      const checking = verifyNext(check).then((result) => {
        pending.delete(digest);
        for (const counter of [perApp, perAddress]) counter.waiting -= 1;
        if (result === 'right') remember(right, digest);
        if (result === 'wrong') {
          perAddress.wrong += 1;
          remember(wrong, digest);
        }
        return result;
      });
      pending.set(digest, checking);
      return checking;
    },
  };

  /** One after the other. The username is compared in the same time whether or not it is right. */
  function verifyNext({ basicAuth, credentials }: Check): Promise<CheckResult> {
    const isUser = timingSafeEqual(mac(credentials.username), mac(basicAuth.username));
    const result = last
      .then(() => verify(credentials.password, basicAuth.passwordHash))
      .then(
        (isRight): CheckResult => (isRight && isUser ? 'right' : 'wrong'),
        // No memory, for example: neither right nor wrong.
        (): CheckResult => 'limited',
      );
    last = result;
    return result;
  }

  function digestOf({ basicAuth, credentials }: Check): string {
    const { username, passwordHash } = basicAuth;
    const parts = [username, passwordHash, credentials.username, credentials.password];
    return mac(JSON.stringify(parts)).toString('base64');
  }

  function mac(text: string): Buffer {
    return createHmac('sha256', key).update(text).digest();
  }

  function remember(results: Set<string>, digest: string): void {
    results.add(digest);
    if (results.size <= limits.results) return;
    const [oldest] = results;
    if (oldest !== undefined) results.delete(oldest);
  }

  function counterOf(name: string): Counter {
    const now = clock.now();
    const found = counters.get(name);
    if (found !== undefined) {
      if (now - found.since >= limits.windowMs) Object.assign(found, { wrong: 0, since: now });
      return found;
    }
    const counter = { wrong: 0, waiting: 0, since: now };
    counters.set(name, counter);
    if (counters.size > limits.counters) {
      const [oldest] = counters.keys();
      if (oldest !== undefined) counters.delete(oldest);
    }
    return counter;
  }
}
