import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { createSmsSender } from './create-sms-sender.ts';
import { createWebhookSmsSender, SmsFailure } from './webhook-sms-sender.ts';

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

async function createTestSmsSender(smsWebhook: string | undefined) {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-text-'));
  closers.push(() => rm(folder, { recursive: true }));
  const lines: string[] = [];
  const clock = { now: () => Date.UTC(2026, 10, 15) };
  const print = (line: string) => void lines.push(line);
  return {
    folder,
    lines,
    smsSender: createSmsSender({ config: { smsWebhook }, folder, clock, fetch, print }),
  };
}

it('posts a message to the gateway, and neither stores nor prints it', async () => {
  const received: unknown[] = [];
  const url = await startGateway(async (request, response) => {
    const { method, headers } = request;
    received.push([method, headers['content-type'], JSON.parse(await readText(request))]);
    response.writeHead(202).end('{}');
  });
  const { smsSender, folder, lines } = await createTestSmsSender(url);
  await smsSender.send(message);
  expect(received).toEqual([['POST', 'application/json', message]]);
  expect(await readdir(folder)).toEqual([]);
  expect(lines).toEqual([]);
});

it.each([
  ['an error', 500, {}],
  ['a refusal', 403, {}],
  ['a redirect, which is not followed', 302, { location: 'http://127.0.0.1:1/' }],
])('rejects when the gateway responds with %s', async (_, status, headers) => {
  const url = await startGateway((_request, response) => {
    response.writeHead(status, headers).end();
  });
  const { smsSender } = await createTestSmsSender(url);
  await expect(smsSender.send(message)).rejects.toBeInstanceOf(SmsFailure);
});

it('gives up on a gateway that does not respond', async () => {
  const url = await startGateway(() => {});
  const smsSender = createWebhookSmsSender({ url, fetch, timeoutMs: 20 });
  await expect(smsSender.send(message)).rejects.toBeInstanceOf(SmsFailure);
});

it('stores a message in the outbox and prints it without a gateway', async () => {
  const { smsSender, folder, lines } = await createTestSmsSender(undefined);
  await smsSender.send(message);
  const names = await readdir(folder);
  expect(names).toHaveLength(1);
  expect(JSON.parse(await readFile(join(folder, names[0] ?? ''), 'utf8'))).toEqual(message);
  expect(lines).toEqual(['Text message for +15551234567: Your code is 123456.']);
});
