import { releaseValues } from '@longshore/contract';
import { buildAppValues, eventually } from '@longshore/testkit';
import { createFakeEngine } from '@longshore/testkit/engine';
import { expect, it, onTestFinished } from 'vitest';
import { createMemoryStore } from '../../test/reconciler/memory-store.ts';
import { TIERS } from '../../test/tiers.ts';
import type { CommandStore, EndedCommand, QueuedCommand } from '../apps/commands.ts';
import type { Change } from '../db/change.ts';
import type { CommandEnd } from '../engines/engine.ts';
import { createCommandRunner, outcomeOf } from './command-runner.ts';

const { signal } = new AbortController();

/** A runner on a fake engine, with one app whose first release was built. */
async function startRunner() {
  const store = createMemoryStore({ clock: Date });
  const engine = createFakeEngine({ clock: Date });
  const appId = store.addApp();
  const values = releaseValues(buildAppValues());
  await store.addRelease({ appId, generation: 1, desiredHash: 'a', values });
  await store.endRelease({ appId, number: 1, outcome: 'live' });
  const { source: _, ...spec } = { ...values, appId, number: 1, projectId: 'p', name: 'shop' };
  const origin = { kind: 'git', url: 'https://example.com/a.git', ref: 'main' } as const;
  const size = { cpus: 1, memoryBytes: 1, processes: 1 };
  await engine.build({ ...spec, ownerId: 'ada', origin, size }, () => {}, signal);
  const rows = new Map<number, QueuedCommand & { state: string; isCancelled?: boolean }>();
  const ends: EndedCommand[] = [];
  let listener: (change: Change) => void = () => {};
  const commands: CommandStore = {
    queued: async () => [...rows.values()].filter(({ state }) => state === 'queued'),
    cancelled: async () => [...rows.values()].filter(({ isCancelled }) => isCancelled === true),
    async start({ number }, text) {
      const row = rows.get(number);
      if (row?.state !== 'queued') return false;
      rows.set(number, { ...row, text, state: 'running' });
      return true;
    },
    async end(end) {
      ends.push(end);
      rows.delete(end.number);
    },
    async interruptRunning(message) {
      for (const { appId, number } of rows.values()) {
        await commands.end({ appId, number, state: 'interrupted', message });
      }
    },
    async removeOld() {},
  };
  const notify = () => listener({ kind: 'rows', change: { table: 'commands', userId: 'ada' } });
  const masking = { mask: async () => (text: string) => text.replace('sesame', '***') };
  const runner = createCommandRunner({
    commands,
    store,
    engine,
    mask: () => masking.mask(),
    tiers: TIERS,
    baseDomain: 'localhost',
    listen(each) {
      listener = each;
      return () => {};
    },
    logError() {},
  });
  onTestFinished(runner.stop);
  return {
    runner,
    engine,
    commands,
    masking,
    rows,
    ends,
    queue(number: number, text: string, release = 1) {
      rows.set(number, { appId, number, text, release, timeoutMs: 60_000, state: 'queued' });
      notify();
    },
    cancel(number: number) {
      const row = rows.get(number);
      if (row !== undefined) rows.set(number, { ...row, isCancelled: true });
      notify();
    },
  };
}

it('runs what is queued once, with secrets masked in what is stored', async () => {
  const { runner, queue, rows, ends } = await startRunner();
  await runner.start();
  queue(1, 'sleep sesame');
  queue(1, 'sleep sesame');
  await eventually(() =>
    expect(rows.get(1)).toMatchObject({ state: 'running', text: 'sleep ***' }),
  );
  expect(ends).toEqual([]);
});

it('stores how each command ended', async () => {
  const { runner, queue, ends } = await startRunner();
  await runner.start();
  queue(1, 'env');
  queue(2, 'exit 7');
  queue(3, 'env', 9);
  await eventually(() => expect(ends).toHaveLength(3));
  const byNumber = ends.toSorted((one, other) => one.number - other.number);
  expect(byNumber).toMatchObject([
    { state: 'succeeded', exitCode: 0 },
    { state: 'failed', exitCode: 7 },
    { state: 'failed', message: expect.stringContaining('Release 9 is no longer stored.') },
  ]);
});

it('masks a command that fails before it starts, and hides it if its secrets are unknown', async () => {
  const { runner, queue, masking, ends } = await startRunner();
  await runner.start();
  queue(1, 'echo sesame', 9);
  await eventually(() => expect(ends).toMatchObject([{ state: 'failed', text: 'echo ***' }]));
  masking.mask = () => Promise.reject(new Error('The database is away'));
  queue(2, 'exit 3 sesame');
  await eventually(() => expect(ends[1]).toMatchObject({ number: 2, text: '***' }));
});

it('stores the end of a command once the database is back', async () => {
  const { runner, queue, commands, ends } = await startRunner();
  const { end } = commands;
  commands.end = async () => {
    commands.end = end;
    throw new Error('The database is away');
  };
  await runner.start();
  queue(1, 'env');
  await eventually(() => expect(ends).toMatchObject([{ number: 1, state: 'succeeded' }]));
});

it('does not run a command again that was read before it ended', async () => {
  const { runner, engine, queue, commands, ends } = await startRunner();
  await runner.start();
  queue(1, 'env');
  const [stale] = await commands.queued();
  await eventually(() => expect(ends).toHaveLength(1));
  const { queued } = commands;
  commands.queued = async () => [...(stale === undefined ? [] : [stale]), ...(await queued())];
  queue(2, 'env');
  await eventually(() => expect(ends.some(({ number }) => number === 2)).toBe(true));
  await runner.stop();
  expect(ends.map(({ number }) => number)).toEqual([1, 2]);
  expect(engine.calls.filter(({ action }) => action === 'runCommand')).toHaveLength(2);
});

it('ends a command that is cancelled', async () => {
  const { runner, queue, cancel, rows, ends } = await startRunner();
  await runner.start();
  queue(1, 'sleep');
  await eventually(() => expect(rows.get(1)?.state).toBe('running'));
  cancel(1);
  await eventually(() => expect(ends).toMatchObject([{ number: 1, state: 'cancelled' }]));
});

it('ends its commands when it stops, and says so of those that an earlier server left', async () => {
  const { runner, queue, rows, ends } = await startRunner();
  await runner.start();
  queue(1, 'sleep');
  await eventually(() => expect(rows.get(1)?.state).toBe('running'));
  await runner.stop();
  expect(ends).toMatchObject([{ number: 1, state: 'interrupted' }]);

  const next = await startRunner();
  next.rows.set(2, {
    appId: 'app-1',
    number: 2,
    text: '',
    release: 1,
    timeoutMs: 1,
    state: 'running',
  });
  await next.runner.start();
  const message = 'The server was restarted while the command ran.';
  expect(next.ends).toMatchObject([{ number: 2, state: 'interrupted', message }]);
});

it.each<[CommandEnd, object]>([
  [{ kind: 'timed-out' }, { state: 'timed-out' }],
  [
    { kind: 'exited', exit: { code: 0, signal: undefined } },
    { state: 'succeeded', exitCode: 0 },
  ],
  [
    { kind: 'exited', exit: { code: 2, signal: undefined } },
    { state: 'failed', exitCode: 2 },
  ],
  [
    { kind: 'exited', exit: { code: undefined, signal: 'SIGTERM' } },
    { state: 'failed', message: 'Killed by SIGTERM.' },
  ],
  [
    { kind: 'exited', exit: { code: undefined, signal: 'SIGKILL', isOutOfMemory: true } },
    { state: 'failed', message: 'The command exceeded the memory limit of the app.' },
  ],
])('%o becomes %o', (end, outcome) => {
  expect(outcomeOf(end)).toEqual(outcome);
});
