import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { createTexter } from './create-texter.ts';
import { createWebhookTexter, TextFailure } from './webhook-texter.ts';

const message = { to: '+15551234567', text: 'Your code is 123456.' };
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function startGateway(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/send`;
}

async function makeTexter(smsWebhook: string | undefined) {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-text-'));
  closers.push(() => rm(folder, { recursive: true }));
  const lines: string[] = [];
  const clock = { now: () => Date.UTC(2026, 10, 15) };
  const print = (line: string) => void lines.push(line);
  return {
    folder,
    lines,
    texter: createTexter({ config: { smsWebhook }, folder, clock, fetch, print }),
  };
}

it('posts a message to the gateway and leaves no trace of it here', async () => {
  const received: unknown[] = [];
  const address = await startGateway(async (request, response) => {
    const { method, headers } = request;
    received.push([method, headers['content-type'], JSON.parse(await readText(request))]);
    response.writeHead(202).end('{}');
  });
  const { texter, folder, lines } = await makeTexter(address);
  await texter.send(message);
  expect(received).toEqual([['POST', 'application/json', message]]);
  expect(await readdir(folder)).toEqual([]);
  expect(lines).toEqual([]);
});

it.each([
  ['an error', 500, {}],
  ['a refusal', 403, {}],
  ['a redirect, which it does not follow', 302, { location: 'http://127.0.0.1:1/' }],
])('rejects when the gateway answers with %s', async (_, status, headers) => {
  const address = await startGateway((_request, response) => {
    response.writeHead(status, headers).end();
  });
  const { texter } = await makeTexter(address);
  await expect(texter.send(message)).rejects.toBeInstanceOf(TextFailure);
});

it('gives up on a gateway that never answers', async () => {
  const address = await startGateway(() => {});
  const texter = createWebhookTexter({ address, fetch, deadlineMs: 20 });
  await expect(texter.send(message)).rejects.toBeInstanceOf(TextFailure);
});

it('keeps a message in the outbox and prints it where there is no gateway', async () => {
  const { texter, folder, lines } = await makeTexter(undefined);
  await texter.send(message);
  const names = await readdir(folder);
  expect(names).toHaveLength(1);
  expect(JSON.parse(await readFile(join(folder, names[0] ?? ''), 'utf8'))).toEqual(message);
  expect(lines).toEqual(['Text message for +15551234567: Your code is 123456.']);
});
