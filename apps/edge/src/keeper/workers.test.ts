import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { KeeperToWorker, WorkerToKeeper } from '../worker/worker-messages.ts';
import { createWorkers, restartDelayMs, type WorkerChannel } from './workers.ts';

class FakeWorker {
  readonly received: KeeperToWorker[] = [];
  readonly slots: number[];
  utilization = 0;
  hangs = false;
  isKilled = false;
  say: (message: WorkerToKeeper) => void = () => {};
  exit: (reason: string) => void = () => {};

  constructor(slots: number[]) {
    this.slots = slots;
  }

  readonly channel: WorkerChannel = {
    send: (message) => {
      this.received.push(message);
      if (message.kind === 'ping' && !this.hangs)
        this.say({ kind: 'pong', utilization: this.utilization });
    },
    kill: () => {
      this.isKilled = true;
      this.exit('SIGKILL');
    },
    onMessage: (listener) => {
      this.say = listener;
    },
    onExit: (listener) => {
      this.exit = listener;
    },
  };

  got(kind: KeeperToWorker['kind']): KeeperToWorker[] {
    return this.received.filter((message) => message.kind === kind);
  }
}

function openWorkers(slots = 2) {
  const clock = createSimulatedClock();
  const spawned: FakeWorker[] = [];
  const crashes: string[] = [];
  const workers = createWorkers({
    clock,
    slots,
    spawn(taken) {
      const worker = new FakeWorker(taken);
      spawned.push(worker);
      return worker.channel;
    },
    startMessage: () => ({ kind: 'start', descriptors: [], state: {}, ticketKeys: '' }),
    onMessage: () => {},
    onCount: () => {},
    onCrash: (reason) => void crashes.push(reason),
  });
  const listening = (worker = spawned.at(-1)) => worker?.say({ kind: 'listening' });
  const last = () => spawned.at(-1) as FakeWorker;
  async function check(times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) await clock.advance(workers.check());
  }
  /** One worker with all slots, which listens. */
  async function start(): Promise<FakeWorker> {
    const started = workers.start();
    listening();
    await started;
    return last();
  }
  async function grow(): Promise<[FakeWorker, FakeWorker]> {
    const first = await start();
    first.utilization = 1;
    await check(4);
    first.utilization = 0;
    listening();
    return [first, last()];
  }
  return { workers, clock, spawned, crashes, listening, last, check, start, grow };
}

it('starts with one worker that has all slots', async () => {
  const { workers, start, spawned } = openWorkers(4);
  const { slots } = await start();
  expect(slots).toEqual([0, 1, 2, 3]);
  expect(spawned).toHaveLength(1);
  expect(workers.count()).toEqual({ running: 1, parked: 3 });
});

it('replaces a worker that fails, which serves until the next one listens', async () => {
  const { workers, start, crashes, spawned, clock, listening, last } = openWorkers();
  const failing = await start();
  failing.say({ kind: 'failing', text: 'TypeError' });
  await clock.advance(0);
  expect(crashes).toEqual(['TypeError']);
  expect(spawned).toHaveLength(2);
  expect(last().slots).toEqual([0, 1]);
  expect(failing.got('stop')).toEqual([]);
  listening();
  expect(failing.got('stop')).toHaveLength(1);
  failing.exit('');
  await clock.advance(60_000);
  expect(spawned).toHaveLength(2);
  expect(workers.count().running).toBe(1);
});

it('replaces a worker that fails and exits once', async () => {
  const { start, crashes, spawned, clock } = openWorkers();
  const failing = await start();
  failing.say({ kind: 'failing', text: 'TypeError' });
  failing.exit('exit code 1');
  await clock.advance(60_000);
  expect(crashes).toEqual(['TypeError']);
  expect(spawned).toHaveLength(2);
});

it('gives slots to other workers when busy, and takes them from the first when they listen', async () => {
  const { workers, start, check, spawned, listening } = openWorkers(3);
  const first = await start();
  first.utilization = 0.9;
  await check(4);
  expect(spawned.map(({ slots }) => slots)).toEqual([[0, 1, 2], [1], [2]]);
  expect(first.got('release')).toEqual([]);
  listening(spawned[1]);
  expect(first.got('release')).toEqual([{ kind: 'release', slots: [1] }]);
  listening(spawned[2]);
  expect(first.got('release')).toHaveLength(2);
  expect(workers.count()).toEqual({ running: 3, parked: 0 });
  await check(3);
  expect(spawned).toHaveLength(3);
});

it('goes back to one worker after a quiet minute; the others retire when it listens', async () => {
  const { workers, grow, check, last, listening } = openWorkers();
  const [first, second] = await grow();
  await check(14);
  const wide = last();
  expect(wide.slots).toEqual([0, 1]);
  expect([first.got('stop'), second.got('stop')]).toEqual([[], []]);
  listening(wide);
  expect([first.got('stop'), second.got('stop')]).toEqual([[{ kind: 'stop' }], [{ kind: 'stop' }]]);
  first.exit('');
  second.exit('');
  expect(workers.count()).toEqual({ running: 1, parked: 1 });
});

it('keeps them all while workers that were parked earlier still have visitors', async () => {
  const { grow, check, last, listening, spawned } = openWorkers();
  await grow();
  await check(14);
  const wide = last();
  listening(wide);
  wide.utilization = 1;
  await check(4);
  wide.utilization = 0;
  listening();
  const count = spawned.length;
  await check(20);
  expect(spawned).toHaveLength(count);
});

it('replaces a worker that crashed, with the slots it had', async () => {
  const { grow, crashes, last, clock } = openWorkers();
  const [first] = await grow();
  first.exit('SIGKILL');
  await clock.advance(0);
  expect(last().slots).toEqual([0]);
  expect(crashes).toEqual(['SIGKILL']);
});

it('does not replace a worker that retired', async () => {
  const { grow, check, last, listening, spawned, crashes } = openWorkers();
  const [first] = await grow();
  await check(14);
  listening(last());
  const count = spawned.length;
  first.exit('');
  await check(1);
  expect(spawned).toHaveLength(count);
  expect(crashes).toEqual([]);
});

it('kills and replaces a worker that does not answer for more than ten seconds', async () => {
  const { start, check, last, spawned, clock } = openWorkers();
  const first = await start();
  first.hangs = true;
  await check(2);
  expect(first.isKilled).toBe(false);
  await check(2);
  expect(first.isKilled).toBe(true);
  await clock.advance(0);
  expect(spawned).toHaveLength(2);
  expect(last().slots).toEqual([0, 1]);
});

it('kills no worker because the whole machine was paused', async () => {
  const { start, workers, clock } = openWorkers();
  const first = await start();
  first.hangs = true;
  workers.check();
  await clock.advance(3_600_000);
  workers.check();
  expect(first.isKilled).toBe(false);
});

it('resolves a change when every worker has applied it or has exited', async () => {
  const { grow, workers, clock } = openWorkers();
  const [first, second] = await grow();
  let isApplied = false;
  void workers.change({ removedApps: ['a'] }).then(() => {
    isApplied = true;
  });
  const [asked] = first.got('change');
  first.say({ kind: 'applied', id: (asked as { id: number }).id });
  await clock.advance(0);
  expect(isApplied).toBe(false);
  second.exit('SIGKILL');
  await clock.advance(0);
  expect(isApplied).toBe(true);
});

it('ends a drain at its timeout although a worker does not answer', async () => {
  const { start, workers, clock } = openWorkers();
  await start();
  let isDrained = false;
  void workers.drain({ host: 'h', port: 1 }, 1_000).then(() => {
    isDrained = true;
  });
  await clock.advance(10_000);
  expect(isDrained).toBe(true);
});

it('returns the shortest quiet time of all workers', async () => {
  const { grow, workers } = openWorkers();
  const [first, second] = await grow();
  const quiet = workers.quietMs();
  const { id } = first.got('ask-activity')[0] as { id: number };
  first.say({ kind: 'activity', id, quietMs: { a: 500, b: 100 } });
  second.say({ kind: 'activity', id, quietMs: { a: 30 } });
  expect(await quiet).toEqual({ a: 30, b: 100 });
});

it('stops all workers, and kills those that do not end in time', async () => {
  const { grow, workers, clock } = openWorkers();
  const [first, second] = await grow();
  let isStopped = false;
  void workers.stop(1_000).then(() => {
    isStopped = true;
  });
  expect(first.got('stop')).toEqual([{ kind: 'stop', drainMs: 1_000 }]);
  first.exit('');
  await clock.advance(5_000);
  expect([second.isKilled, isStopped]).toEqual([false, false]);
  await clock.advance(2_000);
  expect([second.isKilled, isStopped]).toEqual([true, true]);
});

it('stops sooner when it is asked again', async () => {
  const { start, workers, clock } = openWorkers();
  const first = await start();
  const stopped: string[] = [];
  void workers.stop(600_000).then(() => stopped.push('first'));
  void workers.stop(1_000).then(() => stopped.push('second'));
  await clock.advance(10_000);
  expect(first.isKilled).toBe(true);
  expect(stopped).toEqual(['first', 'second']);
});

it.each([
  [1, 0],
  [2, 100],
  [3, 200],
  [8, 6_400],
  [9, 10_000],
  [50, 10_000],
])('after %i crashes, the next start is after %i ms', (crashes, delayMs) => {
  expect(restartDelayMs(crashes)).toBe(delayMs);
});
