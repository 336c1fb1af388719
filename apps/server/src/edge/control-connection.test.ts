import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EdgeMessage } from '@longshore/edge-contract';
import { expect, it, onTestFinished } from 'vitest';
import { connectToEdge } from './control-connection.ts';

const welcome = { kind: 'welcome', protocol: 1, build: 'b', pid: 7, listeners: [] };

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'longshore-edge-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Answers the first bytes of each connection. */
async function startFakeEdge(folder: string, answer: (socket: Socket, hello: string) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (chunk) => answer(socket, chunk.toString()));
  });
  // The path may be too long for a socket.
  const before = process.cwd();
  process.chdir(folder);
  await new Promise<void>((resolve) => server.listen('control.sock', resolve));
  process.chdir(before);
  onTestFinished(() => void server.close());
}

function connect(folder: string, onMessage: (message: EdgeMessage) => void = () => {}) {
  return connectToEdge({ folder, secret: 's', installation: 'i' }, onMessage);
}

it('says hello and gets messages after the welcome', async () => {
  const folder = temporaryFolder();
  let hello = '';
  await startFakeEdge(folder, (socket, text) => {
    hello = text;
    const wake = { kind: 'wake', appId: 'a' };
    socket.write(`${JSON.stringify(welcome)}\n${JSON.stringify(wake)}\n`);
  });
  const messages: EdgeMessage[] = [];
  const connection = await connect(folder, (message) => messages.push(message));
  expect(connection).toMatchObject({ welcome });
  expect(JSON.parse(hello)).toEqual({ kind: 'hello', protocol: 1, secret: 's', installation: 'i' });
  expect(messages).toEqual([{ kind: 'wake', appId: 'a' }]);
  if (typeof connection !== 'string') connection.close();
});

it('reaches a socket whose path is too long', async () => {
  const folder = join(temporaryFolder(), 'x'.repeat(120));
  mkdirSync(folder);
  await startFakeEdge(folder, (socket) => socket.end(`${JSON.stringify(welcome)}\n`));
  expect(await connect(folder)).toMatchObject({ welcome });
});

it('does not follow a link to another socket', async () => {
  const folder = temporaryFolder();
  let isReached = false;
  await startFakeEdge(folder, () => {
    isReached = true;
  });
  renameSync(join(folder, 'control.sock'), join(folder, 'other.sock'));
  symlinkSync('other.sock', join(folder, 'control.sock'));
  expect(await connect(folder)).toBe('absent');
  expect(isReached).toBe(false);
});

it('finds an edge that hangs', async () => {
  const folder = temporaryFolder();
  await startFakeEdge(folder, () => {});
  const target = { folder, secret: 's', installation: 'i' };
  expect(await connectToEdge(target, () => {}, 50)).toBe('hangs');
});

it('finds no edge where nothing listens', async () => {
  expect(await connect(temporaryFolder())).toBe('absent');
});

it.each([
  ['refuses', JSON.stringify({ kind: 'refused', reason: 'wrong secret' }), 'refused: wrong secret'],
  ['sends no welcome', JSON.stringify({ kind: 'synced' }), 'no welcome'],
  ['sends something else', 'HTTP/1.1 400 Bad Request', 'the edge sent an invalid message'],
  ['sends a line without an end', 'x'.repeat(1_100_000), 'the edge sent a line that is too long'],
])('rejects when the edge %s', async (_what, line, reason) => {
  const folder = temporaryFolder();
  await startFakeEdge(folder, (socket) => socket.write(`${line}\n`));
  await expect(connect(folder)).rejects.toThrow(reason);
});

it('reports an edge that closes the connection without an answer', async () => {
  const folder = temporaryFolder();
  await startFakeEdge(folder, (socket) => socket.end());
  expect(await connect(folder)).toBe('ends');
});

it('closes the connection after an invalid message', async () => {
  const folder = temporaryFolder();
  await startFakeEdge(folder, (socket) => {
    socket.write(`${JSON.stringify(welcome)}\n{"kind":"wake","appId":7}\n`);
  });
  const connection = await connect(folder);
  expect(typeof connection !== 'string' && (await connection.closed)).toBe(
    'the edge sent an invalid message',
  );
});
