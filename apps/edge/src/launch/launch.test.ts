import { chmodSync, chownSync, existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { LaunchRequest } from '@longshore/edge-contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  createEdgeInstallation,
  EDGE_USER,
  type EdgeInstallation,
  processesOf,
} from '../../test/edge-processes.ts';

let edge: EdgeInstallation;

beforeEach(() => {
  edge = createEdgeInstallation();
});

afterEach(() => edge.remove());

function http(port: number): LaunchRequest['listeners'] {
  return [{ protocol: 'http', host: '127.0.0.1', port }];
}

it('names the data directory of the installation that holds the port', async () => {
  const other = createEdgeInstallation();
  const port = await other.start();
  const result = await edge.launch({ listeners: http(port) });
  await other.remove();
  expect(result).toMatchObject({
    kind: 'failed',
    code: 'EADDRINUSE',
    listener: { port },
    text: `Port ${port} is already in use by the Longshore installation with the data directory ${other.dataDir}.`,
  });
});

it('names the process of another program that holds the port', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const result = await edge.launch({ listeners: http(port) });
  server.close();
  expect(result).toMatchObject({
    code: 'EADDRINUSE',
    text: expect.stringMatching(
      new RegExp(`^Port ${port} is already in use by process ${process.pid} `),
    ),
  });
});

it('does not start a second edge in the same folder', async () => {
  const port = await edge.start();
  const [keeper] = processesOf(edge.folder, 'keeper.mjs');
  expect(await edge.launch({ listeners: http(port) })).toMatchObject({
    kind: 'failed',
    text: `Port ${port} is already in use by the edge of this installation, process ${keeper}.`,
  });
  expect(processesOf(edge.folder, 'keeper.mjs')).toEqual([keeper]);
});

it('leaves nothing behind when the keeper cannot start', async () => {
  const result = await edge.launch({ node: join(edge.folder, 'missing') });
  expect(result).toMatchObject({
    kind: 'failed',
    text: expect.stringMatching(/No such file|ENOENT/),
  });
  expect(processesOf(edge.folder)).toEqual([]);
});

it('leaves nothing behind when one of two ports is in use', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const result = await edge.launch({
    listeners: [...http(0), { protocol: 'https', host: '127.0.0.1', port }],
  });
  server.close();
  expect(result).toMatchObject({ code: 'EADDRINUSE', listener: { protocol: 'https' } });
  expect(processesOf(edge.folder)).toEqual([]);
});

it('refuses a folder that its user cannot write to', async () => {
  if (EDGE_USER === undefined) chmodSync(edge.folder, 0o500);
  else chownSync(edge.folder, 0, 0);
  const result = await edge.launch();
  chmodSync(edge.folder, 0o700);
  expect(result).toMatchObject({ kind: 'failed', text: expect.stringContaining(edge.folder) });
  expect(existsSync(join(edge.folder, 'control.sock'))).toBe(false);
});

it('reports a folder without a secret', async () => {
  edge.removeSecret();
  const result = await edge.launch();
  expect(result).toMatchObject({ kind: 'failed', text: expect.stringMatching(/secret/) });
  expect(processesOf(edge.folder)).toEqual([]);
});

it('reports an address that the machine does not have', async () => {
  const listeners: LaunchRequest['listeners'] = [{ protocol: 'http', host: '192.0.2.1', port: 0 }];
  expect(await edge.launch({ listeners })).toMatchObject({
    text: 'This machine has no address 192.0.2.1.',
  });
});
