import type { EdgeMessage, StateChange } from '@longshore/edge-contract';
import { createSimulatedClock, settle } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { Edge } from './edge.ts';
import { createEdgeGroup } from './edge-group.ts';

const route = { appId: 'a', hosts: ['a.test'], state: { kind: 'starting' as const } };
const target = { host: '10.0.0.1', port: 80 };

function createTestGroup(first: string[]) {
  const clock = createSimulatedClock();
  const log: string[] = [];
  const edges = new Map<string, ReturnType<typeof createTestEdge>>();
  let found: string[] | Error = first;
  const group = createEdgeGroup({
    async findAddresses() {
      if (found instanceof Error) throw found;
      return found;
    },
    connectTo(address) {
      const created = createTestEdge();
      edges.set(address, created);
      return created.edge;
    },
    listeners: [],
    clock,
    log: (level, text) => log.push(`${level}: ${text}`),
  });
  return {
    group,
    clock,
    log,
    edge: (address: string) => edges.get(address) ?? createTestEdge(),
    async find(addresses: string[] | Error) {
      found = addresses;
      await clock.advance(2_000);
      await settle();
    },
  };
}

function createTestEdge() {
  const changes: StateChange[] = [];
  const handlers = new Map<string, (message: never) => void>();
  const asked: string[] = [];
  const made = { asked, isComplete: false, isConnected: true, isStopped: false, finishDrain() {} };
  const waitForAnswer = () =>
    new Promise<void>((resolve) => {
      made.finishDrain = resolve;
    });
  const edge: Edge & { start(): Promise<void> } = {
    start: async () => {},
    change: (change) => void changes.push(change),
    drained: waitForAnswer,
    applied: waitForAnswer,
    askIdle: (appId) => void made.asked.push(appId),
    refuseWake: () => {},
    countersStored: () => {},
    complete() {
      made.isComplete = true;
    },
    on: (kind, listener) => void handlers.set(kind, listener),
    listeners: () => [],
    health: () => (made.isConnected ? { build: 'b', workers: 1 } : undefined),
    async stop() {
      made.isStopped = true;
    },
  };
  const send = (message: EdgeMessage) => handlers.get(message.kind)?.(message as never);
  const routes = () => changes.flatMap((change) => change.routes ?? []);
  return { edge, made, routes, send };
}

it('sends every edge the routes, also one that comes later', async () => {
  const { group, edge, find } = createTestGroup(['1']);
  await group.start();
  group.change({ routes: [route] });
  group.complete();
  await find(['1', '2']);
  expect(edge('1').routes()).toEqual([route]);
  expect(edge('2').routes()).toEqual([route]);
  expect(edge('2').made.isComplete).toBe(true);
  expect(group.health()).toEqual({ build: 'b', workers: 2 });
  await group.stop();
  expect(edge('1').made.isStopped && edge('2').made.isStopped).toBe(true);
});

it('keeps an edge that ends until it does not answer any more', async () => {
  const { group, edge, find } = createTestGroup(['1', '2']);
  await group.start();
  await find(['2']);
  expect(edge('1').made.isStopped).toBe(false);
  edge('1').made.isConnected = false;
  await find(['2']);
  expect(edge('1').made.isStopped).toBe(true);
  await group.stop();
});

it('keeps all edges when their addresses cannot be found out, and reports it once', async () => {
  const { group, edge, find, log } = createTestGroup(['1']);
  await group.start();
  edge('1').made.isConnected = false;
  await find(new Error('timeout'));
  await find(new Error('timeout'));
  expect(edge('1').made.isStopped).toBe(false);
  expect(log).toEqual(['warn: The edges cannot be found: Error: timeout']);
  await group.stop();
});

it('reports an app as idle when it is idle in every edge at the same time', async () => {
  const { group, edge, find, clock } = createTestGroup(['1']);
  const idle: string[] = [];
  group.on('idle', ({ appId }) => idle.push(appId));
  await group.start();
  edge('1').send({ kind: 'idle', appId: 'alone' });
  expect(idle).toEqual(['alone']);

  await find(['1', '2']);
  edge('1').send({ kind: 'idle', appId: 'a' });
  expect(edge('2').made.asked).toEqual(['a']);
  edge('2').send({ kind: 'idle', appId: 'a' });
  expect(idle).toEqual(['alone', 'a']);

  edge('1').send({ kind: 'idle', appId: 'busy' });
  await clock.advance(2_001);
  edge('2').send({ kind: 'idle', appId: 'busy' });
  expect(edge('1').made.asked).toEqual(['busy']);
  expect(idle).toEqual(['alone', 'a']);
  await group.stop();
});

it.each<[string, (edge: Edge) => Promise<void>]>([
  ['is drained', (edge) => edge.drained(target, 1_000)],
  ['has applied its changes', (edge) => edge.applied(1_000)],
])('%s when every edge is or has', async (_name, ask) => {
  const { group, edge } = createTestGroup(['1', '2']);
  await group.start();
  let isDone = false;
  const done = ask(group).then(() => {
    isDone = true;
  });
  edge('1').made.finishDrain();
  await settle();
  expect(isDone).toBe(false);
  edge('2').made.finishDrain();
  await done;
  await group.stop();
});
