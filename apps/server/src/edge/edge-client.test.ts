import {
  type EdgeMessage,
  type ListenerInfo,
  PROTOCOL,
  type ServerMessage,
} from '@longshore/edge-contract';
import { createSimulatedClock, settle } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { ControlConnection, Welcome } from './control-connection.ts';
import { createEdgeClient, pauseMs } from './edge-client.ts';
import { edgeAction } from './ensure-edge.ts';

const listeners: ListenerInfo[] = [{ protocol: 'http', host: '127.0.0.1', port: 8080 }];
const wanted = { build: 'new', node: '/node', program: '/program', listeners };
const target = { host: '10.0.0.1', port: 80 };
const route = { appId: 'a', hosts: ['a.test'], state: { kind: 'starting' as const } };

type Running = Partial<Omit<Welcome, 'kind' | 'pid'>>;

/** An edge in memory, which a client connects to, replaces and stops. */
function createTestEdge(
  options: { running?: Running; isService?: boolean; replaces?: boolean } = {},
) {
  const clock = createSimulatedClock();
  const log: string[] = [];
  const launches: string[] = [];
  let running: Running | undefined = options.running;
  let hangs = false;
  let kills = 0;
  let current:
    | { received: ServerMessage[]; send(message: EdgeMessage): void; close(): void }
    | undefined;

  function open(onMessage: (message: EdgeMessage) => void): ControlConnection {
    const received: ServerMessage[] = [];
    let close = () => {};
    const closed = new Promise<string>((resolve) => {
      close = () => resolve('closed');
    });
    current = { received, send: onMessage, close };
    const welcome = {
      kind: 'welcome',
      protocol: PROTOCOL,
      build: 'new',
      pid: 7,
      listeners,
    } as const;
    return {
      welcome: { ...welcome, ...running },
      closed,
      close,
      send(message) {
        received.push(message);
        if (message.kind === 'stop') running = undefined;
        if (message.kind === 'replace' && options.replaces !== false) running = {};
        if (message.kind === 'replace' && options.replaces === false)
          onMessage({ kind: 'report', level: 'error', text: 'no' });
        else if (message.kind === 'stop' || message.kind === 'replace') close();
      },
    };
  }

  const client = createEdgeClient({
    async connect(onMessage) {
      if (hangs) return 'hangs';
      return running === undefined ? 'absent' : open(onMessage);
    },
    async killHanging() {
      kills += 1;
      hangs = false;
      running = undefined;
    },
    launch: options.isService
      ? undefined
      : async () => {
          launches.push('launch');
          running = {};
        },
    wanted,
    clock,
    log: (level, text) => void log.push(`${level} ${text}`),
  });
  return {
    client,
    clock,
    log,
    launches,
    received: () => current?.received ?? [],
    send: (message: EdgeMessage) => current?.send(message),
    /** The connection breaks; the edge keeps running or not. */
    async lose(next: Running | undefined) {
      running = next;
      current?.close();
      await settle();
    },
    appear(next: Running) {
      running = next;
    },
    hang() {
      hangs = true;
    },
    kills: () => kills,
  };
}

it.each<[string, Running, ReturnType<typeof edgeAction>]>([
  ['the same', {}, 'use'],
  ['another build', { build: 'old' }, 'replace'],
  ['another protocol', { protocol: PROTOCOL + 1 }, 'replace'],
  ['another port', { listeners: [{ protocol: 'http', host: '127.0.0.1', port: 1 }] }, 'restart'],
  ['another host', { listeners: [{ protocol: 'http', host: '0.0.0.0', port: 8080 }] }, 'restart'],
  ['no listener', { build: 'old', listeners: [] }, 'restart'],
])('decides for an edge with %s', (_what, running, action) => {
  const welcome = { protocol: PROTOCOL, build: 'new', listeners, ...running };
  expect(edgeAction(welcome, wanted)).toBe(action);
});

it('waits longer after each failure, up to five seconds', () => {
  expect([1, 2, 3, 20].map(pauseMs)).toEqual([100, 200, 400, 5000]);
});

it('starts an edge when none runs', async () => {
  const edge = createTestEdge();
  await edge.client.start();
  expect(edge.launches).toEqual(['launch']);
  expect(edge.client.health()).toEqual({ build: 'new', workers: 0 });
  await edge.client.stop();
});

it('adopts an edge, sends the state, and completes it later', async () => {
  const edge = createTestEdge({ running: {} });
  edge.client.change({ newRoutes: [route] });
  await edge.client.start();
  expect(edge.launches).toEqual([]);
  expect(edge.received()).toEqual([
    { kind: 'sync', phase: 'begin' },
    { kind: 'change', change: expect.objectContaining({ newRoutes: [route] }) },
    { kind: 'ping' },
  ]);
  edge.client.change({ routes: [route] });
  edge.client.change({ routes: [route] });
  edge.client.complete();
  expect(edge.received().slice(3)).toEqual([
    { kind: 'change', change: { routes: [route] } },
    { kind: 'sync', phase: 'end' },
  ]);
  await edge.client.stop();
});

it('replaces an edge of another build', async () => {
  const edge = createTestEdge({ running: { build: 'old' } });
  await edge.client.start();
  expect(edge.launches).toEqual([]);
  expect(edge.client.health()?.build).toBe('new');
  await edge.client.stop();
});

it('uses an edge of the same protocol that could not be replaced', async () => {
  const edge = createTestEdge({ running: { build: 'old' }, replaces: false });
  await edge.client.start();
  expect(edge.client.health()?.build).toBe('old');
  expect(edge.log).toEqual(['error edge: no']);
  await edge.client.stop();
});

it('stops an edge with another protocol that could not be replaced, and starts one', async () => {
  const edge = createTestEdge({ running: { protocol: PROTOCOL + 1 }, replaces: false });
  await edge.client.start();
  expect(edge.launches).toEqual(['launch']);
  await edge.client.stop();
});

it('stops an edge that listens elsewhere, and starts one', async () => {
  const edge = createTestEdge({ running: { listeners: [] } });
  await edge.client.start();
  expect(edge.launches).toEqual(['launch']);
  expect(edge.client.listeners()).toEqual(listeners);
  await edge.client.stop();
});

it('starts the edge again at once when it dies, and sends everything again', async () => {
  const edge = createTestEdge({ running: {} });
  await edge.client.start();
  edge.client.change({ routes: [route] });
  edge.client.complete();
  await edge.lose(undefined);
  expect(edge.launches).toEqual(['launch']);
  expect(edge.received()).toEqual([
    { kind: 'sync', phase: 'begin' },
    { kind: 'change', change: expect.objectContaining({ routes: [route] }) },
    { kind: 'sync', phase: 'end' },
    { kind: 'ping' },
  ]);
  await edge.client.stop();
});

it('replaces an edge that stops answering, after it had several chances', async () => {
  const edge = createTestEdge({ running: {} });
  await edge.client.start();
  edge.client.change({ routes: [route] });
  edge.hang();
  await edge.clock.advance(14_000);
  expect(edge.kills()).toBe(0);
  await edge.clock.advance(1_000);
  expect(edge.log).toContain('warn Lost the connection to the edge: it does not answer');
  expect(edge.kills()).toBe(1);
  expect(edge.launches).toEqual(['launch']);
  expect(edge.received()).toContainEqual({
    kind: 'change',
    change: expect.objectContaining({ routes: [route] }),
  });
  await edge.client.stop();
});

it('keeps an edge that answers', async () => {
  const edge = createTestEdge({ running: {} });
  await edge.client.start();
  for (let passed = 0; passed < 60_000; passed += 10_000) {
    await edge.clock.advance(10_000);
    edge.send({ kind: 'pong' });
  }
  expect(edge.kills()).toBe(0);
  expect(edge.client.health()?.build).toBe('new');
  await edge.client.stop();
});

it('starts although an edge hangs', async () => {
  const edge = createTestEdge({ running: {} });
  edge.hang();
  await edge.client.start();
  expect(edge.kills()).toBe(1);
  expect(edge.launches).toEqual(['launch']);
  await edge.client.stop();
});

it('sends everything but what the edge would refuse', async () => {
  const edge = createTestEdge({ running: {} });
  await edge.client.start();
  const small = { id: 'small', names: ['a.test'], chain: 'c', key: 'k' };
  const large = { id: 'large', names: ['b.test'], chain: 'c'.repeat(300_000), key: 'k' };
  edge.client.change({ certificates: [large, small], routes: [route] });
  expect(edge.received().at(-1)).toEqual({
    kind: 'change',
    change: { certificates: [small], routes: [route] },
  });
  expect(edge.log.join()).toContain('certificates large are too large or invalid for the edge');
  await edge.client.stop();
});

it.each([{ answersAskIdle: true }, {}])(
  'asks an edge whether an app is idle: %j',
  async (running) => {
    const edge = createTestEdge({ running });
    await edge.client.start();
    edge.client.askIdle('a');
    const asked = edge.received().filter(({ kind }) => kind === 'ask-idle');
    expect(asked).toEqual(running.answersAskIdle ? [{ kind: 'ask-idle', appId: 'a' }] : []);
    await edge.client.stop();
  },
);

it('waits for an edge that a service starts', async () => {
  const edge = createTestEdge({ isService: true });
  await edge.client.start();
  edge.client.change({ routes: [route] });
  expect(edge.client.health()).toBeUndefined();
  edge.appear({});
  await edge.clock.advance(10_000);
  expect(edge.client.health()?.build).toBe('new');
  expect(edge.received()).toContainEqual({
    kind: 'change',
    change: expect.objectContaining({ routes: [route] }),
  });
  await edge.client.stop();
});

it('does not stop the edge of a service that listens elsewhere', async () => {
  const edge = createTestEdge({ isService: true, running: { listeners } });
  edge.appear({ listeners: [{ protocol: 'http', host: '127.0.0.1', port: 1 }] });
  await edge.client.start();
  await settle();
  expect(edge.log.join()).toContain('The edge listens on 127.0.0.1:1, not as configured.');
  expect(edge.received()).toEqual([]);
  await edge.client.stop();
});

it('resolves a drain when the edge answers, also after a new connection', async () => {
  const edge = createTestEdge({ running: {} });
  await edge.client.start();
  let isDrained = false;
  void edge.client.drained(target, 10_000).then(() => {
    isDrained = true;
  });
  expect(edge.received()).toContainEqual({ kind: 'drain', id: 1, target, timeoutMs: 10_000 });
  await edge.clock.advance(4_000);
  await edge.lose({});
  expect(edge.received()).toContainEqual({ kind: 'drain', id: 1, target, timeoutMs: 6_000 });
  expect(isDrained).toBe(false);
  edge.send({ kind: 'drained', id: 1 });
  await settle();
  expect(isDrained).toBe(true);
  await edge.client.stop();
});

it('has applied changes when the edge answers a message that follows them', async () => {
  const edge = createTestEdge({ running: {} });
  await edge.client.start();
  edge.client.change({ routes: [route] });
  let isApplied = false;
  void edge.client.applied(5_000).then(() => {
    isApplied = true;
  });
  const kinds = edge.received().map(({ kind }) => kind);
  expect(kinds.lastIndexOf('drain')).toBeGreaterThan(kinds.lastIndexOf('change'));
  await settle();
  expect(isApplied).toBe(false);
  edge.send({ kind: 'drained', id: 1 });
  await settle();
  expect(isApplied).toBe(true);
  await edge.client.stop();
});

it('waits for no edge that cannot be reached before changes count as applied', async () => {
  const edge = createTestEdge({ isService: true });
  await edge.client.start();
  await settle();
  await edge.client.applied(5_000);
  edge.appear({});
  await edge.clock.advance(5_000);
  let isApplied = false;
  void edge.client.applied(5_000).then(() => {
    isApplied = true;
  });
  await settle();
  expect(isApplied).toBe(false);
  await edge.client.stop();
});

it('resolves a drain after its timeout when the edge is away', async () => {
  const edge = createTestEdge({ isService: true });
  await edge.client.start();
  const drained = edge.client.drained(target, 10_000);
  await edge.clock.advance(11_000);
  await drained;
  await edge.client.stop();
});

it('passes messages to their listeners and counts workers', async () => {
  const edge = createTestEdge({ running: {} });
  const woken: string[] = [];
  edge.client.on('wake', ({ appId }) => woken.push(appId));
  await edge.client.start();
  edge.send({ kind: 'wake', appId: 'a' });
  edge.send({ kind: 'idle', appId: 'b' });
  edge.send({ kind: 'workers', running: 2, parked: 1 });
  edge.client.refuseWake('a');
  edge.client.countersStored('run', 3);
  expect(woken).toEqual(['a']);
  expect(edge.client.health()?.workers).toBe(2);
  expect(edge.received().slice(-2)).toEqual([
    { kind: 'wake-refused', appId: 'a' },
    { kind: 'counters-stored', run: 'run', batch: 3 },
  ]);
  await edge.client.stop();
});

it('fails the start when the edge cannot be started', async () => {
  const failure = new Error('port in use');
  const client = createEdgeClient({
    connect: async () => 'absent',
    killHanging: async () => {},
    launch: () => Promise.reject(failure),
    wanted,
    clock: createSimulatedClock(),
    log() {},
  });
  await expect(client.start()).rejects.toBe(failure);
  await client.stop();
});
