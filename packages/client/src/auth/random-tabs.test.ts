import {
  createFakeAuthBackend,
  createFakeTabs,
  createMemoryStorage,
  createSimulatedClock,
  settle,
} from '@longshore/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Auth } from './auth.ts';
import { createAuth } from './create-auth.ts';

const TABS = 3;
/** A refresh is due every minute, which equals the server's grace period. */
const ACCESS_TOKEN_SECONDS = 120;
/** Longer than every wait between retries, so that each tab has retried with a working connection. */
const RECOVERY_MS = 81_000;
/** Much longer than the server's grace period. */
const MUCH_LATER_MS = 200_000;

type Connection = { toServerMs: number; toTabMs: number; isResponseLost: boolean };
type Step =
  | { kind: 'refresh' | 'use'; tab: number }
  | { kind: 'wait'; durationMs: number }
  | { kind: 'connection'; tab: number; connection: Connection }
  | { kind: 'reload'; tab: number };

describe('tabs that refresh at random times, on slow and broken connections', () => {
  it.each([
    ['with the lock', { hasLock: true, hasGracePeriod: true }],
    ['without the lock', { hasLock: false, hasGracePeriod: true }],
  ])('never sign each other out, %s', async (_, options) => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep(true), { maxLength: 20 }), (steps) =>
        expectAllSignedIn(options, steps),
      ),
      { numRuns: 30 },
    );
  });

  it('never sign each other out on a server without a grace period, as long as responses arrive', async () => {
    const options = { hasLock: true, hasGracePeriod: false };
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep(false), { maxLength: 20 }), (steps) =>
        expectAllSignedIn(options, steps),
      ),
      { numRuns: 30 },
    );
  });
});

type Options = { hasLock: boolean; hasGracePeriod: boolean };

async function expectAllSignedIn(options: Options, steps: Step[]): Promise<void> {
  const browser = await openBrowser(options);
  for (const step of steps) await browser.perform(step);
  await browser.recover();
  expect(browser.kinds()).toEqual(Array(TABS).fill('signed-in'));
  // The stored token still works in a tab that is opened much later.
  await browser.clock.advance(MUCH_LATER_MS);
  const newTab = browser.open(0);
  await newTab.ready();
  expect(newTab.state().kind).toBe('signed-in');
  newTab.stop();
  browser.stop();
  expect(browser.clock.pending()).toBe(0);
}

/** A reload aborts the requests of the tab, so it is only generated if responses may be lost. */
function anyStep(canLoseResponses: boolean): fc.Arbitrary<Step> {
  const tab = fc.integer({ min: 0, max: TABS - 1 });
  const connection = fc.record({
    toServerMs: fc.integer({ min: 0, max: 3_000 }),
    toTabMs: fc.integer({ min: 0, max: 3_000 }),
    isResponseLost: canLoseResponses ? fc.boolean() : fc.constant(false),
  });
  const steps: fc.Arbitrary<Step>[] = [
    fc.record({ kind: fc.constantFrom('refresh' as const, 'use' as const), tab }),
    fc.record({
      kind: fc.constant('wait' as const),
      durationMs: fc.oneof(
        fc.integer({ min: 0, max: 2_000 }),
        fc.integer({ min: 0, max: 100_000 }),
      ),
    }),
    fc.record({ kind: fc.constant('connection' as const), tab, connection }),
  ];
  const reload = fc.record({ kind: fc.constant('reload' as const), tab });
  return fc.oneof(...steps, ...(canLoseResponses ? [reload] : []));
}

const FAST_CONNECTION: Connection = { toServerMs: 0, toTabMs: 0, isResponseLost: false };

/** Tabs of one browser, each with its own connection to one server. */
async function openBrowser({ hasLock, hasGracePeriod }: Options) {
  const clock = createSimulatedClock();
  const backend = createFakeAuthBackend({
    now: clock.now,
    hasGracePeriod,
    accessTokenExpiresIn: ACCESS_TOKEN_SECONDS,
  });
  const storage = createMemoryStorage();
  const tabs = createFakeTabs();
  const connections: Connection[] = Array(TABS).fill(FAST_CONNECTION);
  const pause = (durationMs: number) =>
    durationMs > 0 && new Promise<void>((done) => void clock.setTimeout(done, durationMs));

  function open(tab: number): Auth & { stop(): void } {
    return createAuth({
      url: 'http://b/v1/auth',
      clock,
      storage,
      channel: tabs.openChannel(),
      ...(hasLock ? { lock: tabs.lock } : {}),
      async fetch(url, init) {
        const { toServerMs, toTabMs, isResponseLost } = connections[tab] ?? FAST_CONNECTION;
        await pause(toServerMs);
        // A request that was sent reaches the server, even if the tab is closed by then.
        const response = await backend.fetch(url, { ...init, signal: null });
        await pause(toTabMs);
        if (isResponseLost) throw new TypeError('fetch failed');
        init?.signal?.throwIfAborted();
        return response;
      },
    });
  }

  const opened = connections.map((_, tab) => open(tab));
  const [first] = opened;
  await first?.signUp({ email: 'ada@example.com', password: 'secret' });
  await settle();

  return {
    clock,
    open,
    kinds: () => opened.map((auth) => auth.state().kind),
    async perform(step: Step): Promise<void> {
      if (step.kind === 'refresh') void opened[step.tab]?.refresh();
      if (step.kind === 'use') void opened[step.tab]?.accessToken();
      if (step.kind === 'connection') connections[step.tab] = step.connection;
      if (step.kind === 'reload') {
        opened[step.tab]?.stop();
        opened[step.tab] = open(step.tab);
      }
      await clock.advance(step.kind === 'wait' ? step.durationMs : 0);
    },
    async recover(): Promise<void> {
      connections.fill(FAST_CONNECTION);
      await clock.advance(RECOVERY_MS);
      await Promise.all(opened.map((auth) => auth.refresh()));
      await settle();
    },
    stop(): void {
      for (const auth of opened) auth.stop();
    },
  };
}
