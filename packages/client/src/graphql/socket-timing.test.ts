import {
  SOCKET_BACKOFF_MAX_MS as MAX,
  SOCKET_BACKOFF_MIN_MS,
  SOCKET_INACTIVITY_MS,
  SOCKET_MIN_TIMEOUT_MS,
  SOCKET_TIMEOUT_MS,
} from '@longshore/contract';
import { createFakeAuth, createSimulatedClock, settle } from '@longshore/testkit';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createFakeWebSockets } from '../../test/graphql/fake-web-sockets.ts';
import { createLiveQueries } from './live-queries.ts';

// The client imports this module on first use, which takes real time that the simulated clock does not count.
beforeAll(() => import('graphql-ws/client'));

describe('the websocket', () => {
  it('is not opened before the first subscription', async () => {
    const { clock, sockets, watch } = start();
    await clock.advance(60_000);
    expect(sockets).toHaveLength(0);
    watch();
    await settle();
    expect(sockets).toHaveLength(1);
  });

  it('is reopened after 100 ms, doubled each time, at most 10 s', async () => {
    const { clock, sockets, watch } = start();
    watch();
    await settle();
    for (const waitMs of [SOCKET_BACKOFF_MIN_MS, 200, 400, 800, 1_600, 3_200, 6_400, MAX, MAX]) {
      const before = sockets.length;
      sockets.at(-1)?.lose();
      await clock.advance(waitMs - 1);
      expect(sockets).toHaveLength(before);
      await clock.advance(1);
      expect(sockets).toHaveLength(before + 1);
    }
  });

  it('must open within 1 s, 20 % more after each failure', async () => {
    const { clock, sockets, watch } = start();
    watch();
    await settle();
    for (const withinMs of [SOCKET_MIN_TIMEOUT_MS, 1_200, 1_440]) {
      const socket = sockets.at(-1);
      const elapsedMs = clock.now() - (socket?.at ?? 0);
      await clock.advance(withinMs - elapsedMs - 1);
      expect(socket?.isClosed()).toBe(false);
      await clock.advance(1);
      expect(socket?.isClosed()).toBe(true);
      await clock.advance(400);
    }
    expect(sockets).toHaveLength(4);
  });

  it('must be acknowledged within 30 s', async () => {
    const { clock, sockets, watch } = start();
    watch();
    await settle();
    sockets[0]?.open();
    await clock.advance(SOCKET_TIMEOUT_MS - 1);
    expect(sockets[0]?.isClosed()).toBe(false);
    await clock.advance(1);
    expect(sockets[0]?.isClosed()).toBe(true);
  });

  it('is pinged after 20 s without a message, and closed after 30 s', async () => {
    const { clock, sockets, watch } = start();
    watch();
    const socket = await opened(sockets);
    await clock.advance(20_000);
    expect(socket?.sent.at(-1)).toEqual({ type: 'ping' });
    socket?.receive({ type: 'pong' });
    await clock.advance(SOCKET_TIMEOUT_MS - 1);
    expect(socket?.isClosed()).toBe(false);
    await clock.advance(1);
    expect(socket?.isClosed()).toBe(true);
  });

  it('is closed 30 s after the last live query has ended', async () => {
    const { clock, sockets, watch } = start();
    const stopWatching = watch();
    const socket = await opened(sockets);
    stopWatching();
    await clock.advance(SOCKET_INACTIVITY_MS - 1);
    expect(socket?.isClosed()).toBe(false);
    await clock.advance(1);
    expect(socket?.isClosed()).toBe(true);
    await clock.advance(60_000);
    expect(sockets).toHaveLength(1);
  });

  it('stays open if a new subscription starts before that', async () => {
    const { clock, sockets, watch } = start();
    const stopWatching = watch();
    const socket = await opened(sockets);
    stopWatching();
    await clock.advance(SOCKET_INACTIVITY_MS - 11_000);
    socket?.receive({ type: 'ping' });
    watch();
    await clock.advance(12_000);
    expect(socket?.isClosed()).toBe(false);
    expect(socket?.sent.filter(({ type }) => type === 'subscribe')).toHaveLength(2);
  });

  it('leaves no timer after everything is stopped', async () => {
    const { clock, sockets, watch, live } = start();
    watch();
    await opened(sockets);
    live.stop();
    await settle();
    expect(clock.pending()).toBe(0);
  });
});

async function opened(sockets: ReturnType<typeof createFakeWebSockets>['sockets']) {
  await settle();
  sockets[0]?.open();
  await settle();
  sockets[0]?.acknowledge();
  await settle();
  return sockets[0];
}

function start() {
  const clock = createSimulatedClock();
  const { WebSocket, sockets } = createFakeWebSockets(clock);
  const live = createLiveQueries({
    url: 'http://backend/v1/graphql',
    clock,
    auth: createFakeAuth(),
    webSocket: WebSocket,
    log: () => undefined,
  });
  onTestFinished(() => live.stop());
  const watch = () => live.subscribe('subscription { a }', {}, { next: () => undefined });
  return { clock, sockets, live, watch };
}
