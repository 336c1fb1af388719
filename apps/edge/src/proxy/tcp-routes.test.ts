import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Target, TcpRoute } from '@longshore/edge-contract';
import { createSimulatedClock, eventually, settle } from '@longshore/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { unusedAddress } from '../../test/ingress-fixture.ts';
import { readyTarget } from '../../test/proxy-fixture.ts';
import { createTcpRoutes } from './tcp-routes.ts';

const PORT = 5432;

/** A server whose connections are handled by the test. */
async function startTarget(onConnection: (socket: Socket) => void): Promise<Target> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return readyTarget({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
}

/** Routes on free ports: the number of a route's port is only a name here. */
function startRoutes() {
  const listening = new Map<number, Promise<number>>();
  const clock = createSimulatedClock();
  const routes = createTcpRoutes({
    clock,
    listen(port, onConnection) {
      const server = createServer({ allowHalfOpen: true }, onConnection);
      const free = once(server.listen(0, '127.0.0.1'), 'listening');
      listening.set(
        port,
        free.then(() => (server.address() as AddressInfo).port),
      );
      return {
        close() {
          listening.delete(port);
          server.close();
        },
      };
    },
  });
  onTestFinished(routes.stop);
  const set = (route: Partial<TcpRoute>) =>
    routes.apply({ tcpRoutes: [{ id: 'db', port: PORT, targets: [], ...route }] });
  async function open(): Promise<Socket> {
    const socket = connect({
      port: (await listening.get(PORT)) ?? 0,
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    socket.on('error', () => {});
    socket.on('end', () => socket.end());
    onTestFinished(() => void socket.destroy());
    return socket;
  }
  return { routes, set, open, listening, clock };
}

async function closed(socket: Socket): Promise<void> {
  socket.resume();
  await once(socket, 'close');
}

async function readAll(socket: Socket): Promise<string> {
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  await closed(socket);
  return received;
}

describe('a TCP route', () => {
  it('forwards bytes both ways, also after one direction has ended', async () => {
    const target = await startTarget((socket) => {
      let received = '';
      socket.on('data', (data) => {
        received += data;
      });
      socket.on('end', () => socket.end(`got ${received}`));
    });
    const { set, open } = startRoutes();
    set({ targets: [target] });
    const socket = await open();
    socket.end('query');
    expect(await readAll(socket)).toBe('got query');
  });

  it('applies backpressure', async () => {
    const size = 64 * 1024 * 1024;
    let target: Socket | undefined;
    const { set, open } = startRoutes();
    set({
      targets: [
        await startTarget((socket) => {
          target = socket;
          socket.write(Buffer.alloc(size));
        }),
      ],
    });
    const socket = (await open()).pause();
    let before = -1;
    await eventually(() => {
      if (target === undefined) return false;
      const isUnchanged = target.writableLength === before;
      before = target.writableLength;
      return isUnchanged;
    }, 'the target to stop sending');
    expect(target?.writableLength).toBeGreaterThan(size / 2);
    socket.destroy();
  });

  it('uses another target when one accepts no connection, and none that drains', async () => {
    const here = await startTarget((socket) => socket.end('here'));
    const draining = await startTarget((socket) => socket.end('draining'));
    const { set, open } = startRoutes();
    set({
      targets: [readyTarget(await unusedAddress()), { ...draining, state: 'draining' }, here],
    });
    for (let count = 0; count < 3; count += 1) expect(await readAll(await open())).toBe('here');
  });

  it('closes the connection when no target accepts it', async () => {
    const { set, open } = startRoutes();
    set({ targets: [readyTarget(await unusedAddress())] });
    expect(await readAll(await open())).toBe('');
  });

  it('admits allowed addresses only, also connections that are open already', async () => {
    const target = await startTarget((socket) => socket.write('welcome'));
    const { set, open } = startRoutes();
    set({ targets: [target], allowedIps: ['127.0.0.0/8'] });
    const socket = await open();
    await once(socket, 'data');
    set({ targets: [target], allowedIps: ['192.0.2.1'] });
    await closed(socket);
    expect(await readAll(await open())).toBe('');
  });

  it('keeps open connections when its targets change', async () => {
    const echo = await startTarget((socket) => socket.pipe(socket));
    const other = await startTarget((socket) => socket.end('other'));
    const { set, open } = startRoutes();
    set({ targets: [echo] });
    const socket = await open();
    socket.write('one');
    expect(String((await once(socket, 'data'))[0])).toBe('one');
    set({ targets: [other] });
    socket.write('two');
    expect(String((await once(socket, 'data'))[0])).toBe('two');
    expect(await readAll(await open())).toBe('other');
  });

  it('closes its port and its connections when it is removed', async () => {
    const target = await startTarget((socket) => socket.write('welcome'));
    const { routes, set, open, listening } = startRoutes();
    set({ targets: [target] });
    const socket = await open();
    await once(socket, 'data');
    routes.apply({ removedTcpRoutes: ['db'] });
    await closed(socket);
    expect(listening.size).toBe(0);
  });
});

describe('a drain', () => {
  async function startDrain() {
    const target = await startTarget((socket) => {
      socket.write('hello');
      socket.on('end', () => socket.end()).resume();
    });
    const started = startRoutes();
    started.set({ targets: [target] });
    const visitor = await started.open();
    await once(visitor, 'data');
    let isDrained = false;
    const drained = started.routes.drained(target as never, 10_000).then(() => {
      isDrained = true;
    });
    return { ...started, visitor, drained, isDrained: () => isDrained };
  }

  it('waits for the last connection to the target', async () => {
    const { visitor, drained, isDrained } = await startDrain();
    await settle();
    expect(isDrained()).toBe(false);
    visitor.destroy();
    await drained;
  });

  it('ends after its timeout', async () => {
    const { clock, drained, isDrained } = await startDrain();
    await clock.advance(9_999);
    expect(isDrained()).toBe(false);
    await clock.advance(1);
    await drained;
  });

  it('does not wait for a target without connections', async () => {
    const { routes } = startRoutes();
    await routes.drained({ host: '127.0.0.1', port: 1 }, 10_000);
  });
});
