import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { createSimulatedClock, settle } from '@longshore/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { createPortServers } from './port-servers.ts';

it('listens as soon as another process gives the port free, and reports the clash once', async () => {
  const other = createServer();
  await once(other.listen({ port: 0 }), 'listening');
  const { port } = other.address() as AddressInfo;
  const clock = createSimulatedClock();
  const reports: string[] = [];
  const ports = createPortServers({ clock, report: (text) => void reports.push(text) });
  const listener = ports.listen(port, (socket) => void socket.end('hello'));
  onTestFinished(() => listener.close());
  await expect.poll(() => reports.length).toBe(1);
  await clock.advance(5_000);
  await settle();
  await new Promise((resolve) => other.close(resolve));
  const greeting = () =>
    new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('data', (bytes) => resolve(String(bytes)));
      socket.once('error', ({ message }) => resolve(message));
    });
  await expect
    .poll(async () => {
      await clock.advance(5_000);
      return await greeting();
    })
    .toBe('hello');
  expect(reports).toEqual([expect.stringContaining(`TCP port ${port}`)]);
});

it('stops trying when the route is closed', async () => {
  const other = createServer();
  await once(other.listen({ port: 0 }), 'listening');
  onTestFinished(() => void other.close());
  const clock = createSimulatedClock();
  const reports: string[] = [];
  const ports = createPortServers({ clock, report: (text) => void reports.push(text) });
  const listener = ports.listen((other.address() as AddressInfo).port, () => {});
  await expect.poll(() => reports.length).toBe(1);
  listener.close();
  await ports.closed();
  await clock.advance(60_000);
  expect(reports).toHaveLength(1);
});
