import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createControlRelay } from '@longshore/edge/container';
import {
  createLineReader,
  MAX_LINE_BYTES,
  PROTOCOL,
  parseServerMessage,
  toLine,
} from '@longshore/edge-contract';
import { eventually } from '@longshore/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { Secret } from '../secrets/secret.ts';
import { openRemoteEdges } from './remote-edges.ts';

const KEY = 'a-key-that-server-and-edge-share-0123';
const route = { appId: 'a', hosts: ['a.test'], state: { kind: 'starting' as const } };

/** A keeper in memory behind the real relay of the container. */
async function startEdge() {
  const folder = mkdtempSync(join(tmpdir(), 'longshore-relay-'));
  const socket = join(folder, 'control.sock');
  const received: string[] = [];
  let synced = 0;
  const keeper = createServer((connection) => {
    const reader = createLineReader(MAX_LINE_BYTES);
    connection.on('error', () => {});
    connection.on('data', (chunk) => {
      for (const line of reader.read(chunk) ?? []) {
        const message = parseServerMessage(line);
        received.push(message?.kind ?? 'invalid');
        if (message?.kind === 'hello')
          connection.write(
            toLine({ kind: 'welcome', protocol: PROTOCOL, build: 'b', pid: 7, listeners: [] }),
          );
        if (message?.kind === 'sync' && message.phase === 'end')
          connection.write(toLine({ kind: 'synced' }));
      }
    });
  });
  await new Promise<void>((resolve) => keeper.listen(socket, resolve));
  const onSynced = () => {
    synced += 1;
  };
  const relay = createControlRelay({ secret: KEY, socket, onSynced });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    relay.close();
    keeper.close();
    rmSync(folder, { recursive: true });
  });
  return { port: (relay.address() as AddressInfo).port, received, synced: () => synced };
}

async function connectTo(port: number, key: string) {
  const log: string[] = [];
  const edges = openRemoteEdges({
    edges: { host: '127.0.0.1', port, key: new Secret(key) },
    installation: 'test',
    listeners: [],
    log: (_, text) => log.push(text),
  });
  onTestFinished(edges.stop);
  edges.change({ routes: [route] });
  edges.complete();
  await edges.start();
  return { edges, log };
}

it('sends routes over TLS, and the edge knows when it has all of them', async () => {
  const edge = await startEdge();
  const { edges } = await connectTo(edge.port, KEY);
  await eventually(async () => edge.synced() === 1, 'the edge is synced');
  expect(edge.received.slice(0, 4)).toEqual(['hello', 'sync', 'change', 'sync']);
  expect(edges.health()).toEqual({ build: 'b', workers: 0 });
});

it('sends nothing to an edge with another key', async () => {
  const edge = await startEdge();
  const { edges, log } = await connectTo(edge.port, KEY.replace('a-key', 'no-key'));
  await eventually(async () => log.length > 0, 'the failure is reported');
  expect(log.join()).toContain('LONGSHORE_EDGE_KEY');
  expect(edges.health()).toBeUndefined();
  expect(edge.received).toEqual([]);
});
