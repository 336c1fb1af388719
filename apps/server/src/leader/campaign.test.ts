import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startCampaign } from './campaign.ts';
import type { DatabaseLock } from './database-lock.ts';

/** One lock in memory, for several servers. */
function createLocks() {
  let holder: object | undefined;
  const open: { lose(): void }[] = [];
  return {
    /** Breaks the connections of all servers. */
    loseAll() {
      for (const { lose } of open.splice(0)) lose();
    },
    isFree: () => holder === undefined,
    async openLock(): Promise<DatabaseLock> {
      const self = {};
      const lost = new AbortController();
      const release = () => {
        lost.abort();
        if (holder === self) holder = undefined;
      };
      open.push({ lose: release });
      return {
        lost: lost.signal,
        async tryTake() {
          lost.signal.throwIfAborted();
          holder ??= self;
          return holder === self;
        },
        query: async () => {},
        close: async () => release(),
      };
    },
  };
}

function startServer(
  name: string,
  locks: ReturnType<typeof createLocks>,
  { events, fails = () => false }: { events: string[]; fails?: () => boolean },
) {
  const errors: unknown[] = [];
  const campaign = startCampaign({
    openLock: locks.openLock,
    retryMs: 1,
    onError: (error) => errors.push(error),
    async lead(signal) {
      if (fails()) throw new Error(`${name} cannot lead`);
      events.push(`${name} leads`);
      return {
        async end() {
          expect(signal.aborted).toBe(true);
          // The end takes a moment; nobody else may lead meanwhile, unless the lock was lost.
          await delay(5);
          events.push(`${name} ended`);
        },
      };
    },
  });
  onTestFinished(campaign.stop);
  return { campaign, errors };
}

it('lets one server lead at a time, and another one when it stops', async () => {
  const locks = createLocks();
  const events: string[] = [];
  const first = startServer('first', locks, { events });
  await expect.poll(() => events).toEqual(['first leads']);
  const second = startServer('second', locks, { events });
  await delay(20);
  expect(events).toEqual(['first leads']);
  await first.campaign.stop();
  await expect.poll(() => events).toEqual(['first leads', 'first ended', 'second leads']);
  await second.campaign.stop();
  expect(locks.isFree()).toBe(true);
});

it('ends its term when the lock is lost, and leads again later', async () => {
  const locks = createLocks();
  const events: string[] = [];
  startServer('only', locks, { events });
  await expect.poll(() => events).toEqual(['only leads']);
  locks.loseAll();
  await expect.poll(() => events).toEqual(['only leads', 'only ended', 'only leads']);
});

it('gives the lock back when it cannot lead, so that another server can', async () => {
  const locks = createLocks();
  const events: string[] = [];
  const broken = startServer('broken', locks, { events, fails: () => true });
  await expect.poll(() => broken.errors.length).toBeGreaterThan(0);
  startServer('healthy', locks, { events });
  await expect.poll(() => events).toEqual(['healthy leads']);
});

it('goes on while the database cannot be reached', async () => {
  const locks = createLocks();
  const errors: unknown[] = [];
  let isDown = true;
  let terms = 0;
  const campaign = startCampaign({
    async openLock() {
      if (isDown) throw new Error('connect ECONNREFUSED');
      return await locks.openLock();
    },
    retryMs: 1,
    onError: (error) => errors.push(error),
    async lead() {
      terms += 1;
      return { end: async () => {} };
    },
  });
  onTestFinished(campaign.stop);
  await expect.poll(() => errors.length).toBeGreaterThan(2);
  isDown = false;
  await expect.poll(() => terms).toBe(1);
});

it('stops while it waits for the lock', async () => {
  const locks = createLocks();
  const events: string[] = [];
  startServer('first', locks, { events });
  await expect.poll(() => events).toEqual(['first leads']);
  const { campaign, errors } = startServer('second', locks, { events });
  await campaign.stop();
  expect(errors).toEqual([]);
});
