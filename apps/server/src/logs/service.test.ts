import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Problem, problemBody } from '../http/problem.ts';
import { createLogStore, type LogStore } from './log-store.ts';
import { createLogsService, type LogsServiceDeps, type LogsSession } from './service.ts';

const APP = '3f2a91aa-0000-4000-8000-000000000000';
const PROJECT = 'b0b0b0b0-0000-4000-8000-000000000000';
const NAME = 'app-3f2a91-1';
const LIFETIME_MS = 60_000;
const clock = { now: () => 0 };

type ServiceOptions = { lifetimeMs?: number; limits?: LogsServiceDeps['limits'] };

async function startService({ lifetimeMs = LIFETIME_MS, limits }: ServiceOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'logs-'));
  const store = createLogStore({ folder, clock });
  const readers = { open: 0 };
  const service = createLogsService({
    clock,
    store: { ...store, open: countReaders(store.open, readers) },
    ...(limits === undefined ? {} : { limits }),
    session: async (request) => sessionOf(request, lifetimeMs),
    ownsApp: async (userId, projectId, appId) =>
      userId === 'alice' && projectId === PROJECT && appId === APP,
  });
  const app = new Hono().route('/v1/logs', service);
  app.onError((error, context) => {
    if (!(error instanceof Problem)) throw error;
    return context.json(problemBody(error), error.status);
  });
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  onTestFinished(async () => {
    await store.close();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/logs`;
  return { store, readers, url, requestLogs: logsClient(url) };
}

function sessionOf(request: Request, lifetimeMs: number): LogsSession | undefined {
  const authorization = request.headers.get('authorization') ?? '';
  const userId = /^Bearer (alice|bob)$/.exec(authorization)?.[1];
  return userId === undefined ? undefined : { userId, expiresAt: new Date(lifetimeMs) };
}

type RequestOptions = {
  token?: string | undefined;
  signal?: AbortSignal;
  accept?: string;
  path?: string;
};

function logsClient(url: string) {
  return (body: object = {}, options: RequestOptions = {}) => {
    const { token = 'alice', signal = null, accept = '*/*', path = '' } = options;
    return fetch(`${url}${path}`, {
      method: 'POST',
      signal,
      headers: { accept, ...(token === '' ? {} : { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ projectId: PROJECT, appId: APP, ...body }),
    });
  };
}

type Open = ReturnType<typeof createLogStore>['open'];

/** Counts the readers that are still open. */
function countReaders(open: Open, readers: { open: number }): Open {
  return async (...args) => {
    const lines = await open(...args);
    return async function* countedLines(signal) {
      readers.open += 1;
      try {
        yield* lines(signal);
      } finally {
        readers.open -= 1;
      }
    };
  };
}

describe('access', () => {
  it.each([
    ['no token', { token: '' }, {}, 401, 'unauthorized', 'Missing or invalid access token'],
    [
      'an invalid token',
      { token: 'mallory' },
      {},
      401,
      'unauthorized',
      'Missing or invalid access token',
    ],
    ['another user', { token: 'bob' }, {}, 404, 'not-found', 'App not found'],
    ['an unknown app', {}, { appId: 'other' }, 404, 'not-found', 'App not found'],
    ['a path as app id', {}, { appId: '../../etc' }, 404, 'not-found', 'App not found'],
    ['another project', {}, { projectId: 'other' }, 404, 'not-found', 'App not found'],
    ['no project', {}, { projectId: 1 }, 400, 'invalid-request', 'projectId must be a string'],
  ])(
    'is refused for %s, by every endpoint',
    async (_case, options, body, status, error, message) => {
      const { requestLogs } = await startService();
      for (const path of ['', '/search', '/download', '/kept']) {
        const response = await requestLogs({ text: 'x', ...body }, { ...options, path });
        expect(response.status).toBe(status);
        expect(await response.json()).toEqual({ status, error, message });
      }
    },
  );
});

describe('the response', () => {
  it('contains the last lines as text', async () => {
    const { store, requestLogs } = await startService();
    for (const text of ['one', 'two', 'three']) store.append(APP, NAME, text);
    const response = await requestLogs({ tailLines: 2 });
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(await response.text()).toBe(`[${NAME}]: two\n[${NAME}]: three\n`);
  });

  it('contains the last hundred lines by default', async () => {
    const { store, requestLogs } = await startService();
    for (let number = 1; number <= 150; number += 1) store.append(APP, NAME, `${number}`);
    const lines = (await (await requestLogs()).text()).trim().split('\n');
    expect(lines).toHaveLength(100);
    expect(lines[0]).toBe(`[${NAME}]: 51`);
  });

  it('keeps colours and removes NUL and line breaks', async () => {
    const { store, requestLogs } = await startService();
    store.append(APP, NAME, '\u001b[32mgreen\u001b[0m');
    store.append(APP, NAME, 'nul \0 break \n[x-build-1]: forged \ufffd');
    expect(await (await requestLogs()).text()).toBe(
      `[${NAME}]: \u001b[32mgreen\u001b[0m\n[${NAME}]: nul  break  [x-build-1]: forged \ufffd\n`,
    );
  });

  it('can be limited to one kind of lines or one build', async () => {
    const { store, requestLogs } = await startService();
    store.append(APP, NAME, 'running');
    store.append(APP, 'app-3f2a91-build-2', 'compiling');
    const textOf = async (body: Record<string, unknown>) => await (await requestLogs(body)).text();
    expect(await textOf({ kind: 'app' })).toBe(`[${NAME}]: running\n`);
    expect(await textOf({ kind: 'build' })).toBe('[app-3f2a91-build-2]: compiling\n');
    expect(await textOf({ release: 2 })).toBe('[app-3f2a91-build-2]: compiling\n');
  });

  it('contains sequence numbers as JSON lines, for resuming', async () => {
    const { store, requestLogs } = await startService();
    for (const text of ['one', 'two', 'three']) store.append(APP, NAME, text);
    const response = await requestLogs({ after: 1 }, { accept: 'application/x-ndjson' });
    expect(response.headers.get('content-type')).toContain('application/x-ndjson');
    const lines = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const at = '1970-01-01T00:00:00.000Z';
    expect(lines).toEqual([
      { sequence: 2, at, name: NAME, text: 'two' },
      { sequence: 3, at, name: NAME, text: 'three' },
    ]);
  });

  it('is empty for an app without lines', async () => {
    const { requestLogs } = await startService();
    expect(await (await requestLogs()).text()).toBe('');
  });

  it('can have thousands of lines', async () => {
    const { store, requestLogs } = await startService();
    for (let number = 1; number <= 5_000; number += 1) store.append(APP, NAME, `${number}`);
    const lines = (await (await requestLogs({ tailLines: 100_000 })).text()).split('\n');
    expect(lines).toHaveLength(5_001);
    expect(lines[4_999]).toBe(`[${NAME}]: 5000`);
  });

  it('can be the previous run, which ends even with follow', async () => {
    const { store, requestLogs } = await startService();
    store.append(APP, NAME, 'crashed');
    store.append(APP, 'app-3f2a91-2', 'again');
    const response = await requestLogs({ previous: true, follow: true });
    expect(await response.text()).toBe(`[${NAME}]: crashed\n`);
  });
});

describe('following', () => {
  async function nextText(body: ReadableStream<Uint8Array> | null): Promise<string> {
    const source = body?.getReader();
    const { value } = (await source?.read()) ?? {};
    source?.releaseLock();
    return new TextDecoder().decode(value);
  }

  it('responds at once, before there is any line', async () => {
    const { store, requestLogs } = await startService();
    const response = await requestLogs({ follow: true });
    expect(response.status).toBe(200);
    store.append(APP, NAME, 'first');
    expect(await nextText(response.body)).toBe(`[${NAME}]: first\n`);
    await response.body?.cancel();
  });

  it('can skip existing lines', async () => {
    const { store, requestLogs } = await startService();
    store.append(APP, NAME, 'old');
    const response = await requestLogs({ follow: true, tailLines: 0 });
    store.append(APP, NAME, 'new');
    expect(await nextText(response.body)).toBe(`[${NAME}]: new\n`);
    await response.body?.cancel();
  });

  it('closes its readers when the client disconnects', async () => {
    const { store, readers, requestLogs } = await startService();
    const client = new AbortController();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => requestLogs({ follow: true }, { signal: client.signal })),
    );
    store.append(APP, NAME, 'hello');
    await Promise.all(responses.map(({ body }) => nextText(body)));
    expect(readers.open).toBe(10);
    client.abort();
    await expect.poll(() => readers.open).toBe(0);
  });

  it('is limited to a number of streams per user', async () => {
    const { requestLogs, readers } = await startService({ limits: { streamsPerUser: 2 } });
    const client = new AbortController();
    await requestLogs({ follow: true }, { signal: client.signal });
    const second = await requestLogs({ follow: true });
    const refused = await requestLogs({ follow: true });
    expect(refused.status).toBe(429);
    expect(await refused.json()).toEqual({
      status: 429,
      error: 'too-many-requests',
      message: 'Too many log streams are open. Close some of them and try again.',
    });
    await expect.poll(() => readers.open).toBe(2);
    client.abort();
    await expect.poll(async () => (await requestLogs()).status).toBe(200);
    await second.body?.cancel();
  });

  it('ends when the access token expires', async () => {
    const { requestLogs } = await startService({ lifetimeMs: 100 });
    expect(await (await requestLogs({ follow: true })).text()).toBe('');
  });

  it('ends when the app is removed', async () => {
    const { store, requestLogs } = await startService();
    store.append(APP, NAME, 'last line');
    const response = await requestLogs({ follow: true });
    expect(await nextText(response.body)).toContain('last line');
    await store.remove(APP);
    expect(await nextText(response.body)).toBe('');
  });
});

describe('a range of lines', () => {
  async function textsOf(response: Response): Promise<string[]> {
    const lines = (await response.text()).split('\n').filter((line) => line !== '');
    return lines.map((line) => line.replace(`[${NAME}]: `, ''));
  }

  it.each([
    [{ before: 8, tailLines: 3 }, ['5', '6', '7']],
    [{ before: 3, tailLines: 100 }, ['1', '2']],
    [{ before: 1 }, []],
    [{ after: 8, limit: 1 }, ['9']],
    [{ after: 2, before: 5 }, ['3', '4']],
    [{ text: '1' }, ['1', '10']],
    [{ text: '1', tailLines: 1 }, ['10']],
    [{ from: '1970-01-01T00:00:00Z', tailLines: 1 }, ['10']],
    [{ from: '1970-01-01T00:00:01Z' }, []],
    [{ to: '1969-12-31T23:59:59Z' }, []],
  ])('is selected by %j', async (body, expected) => {
    const { store, requestLogs } = await startService();
    for (let number = 1; number <= 10; number += 1) store.append(APP, NAME, `${number}`);
    expect(await textsOf(await requestLogs(body))).toEqual(expected);
  });
});

describe('searching', () => {
  const search = { path: '/search' };

  it('returns pages of hits, newest first, and where to continue', async () => {
    const { store, requestLogs } = await startService();
    for (const text of ['Timeout', 'ok', 'a timeout again', 'TIMEOUT'])
      store.append(APP, NAME, text);
    const at = '1970-01-01T00:00:00.000Z';
    const first = await requestLogs({ text: 'timeout', limit: 2 }, search);
    const page = { until: 5, oldest: 1 };
    expect(await first.json()).toEqual({
      ...page,
      hits: [4, 3].map((sequence) => ({ sequence, at })),
      next: 3,
    });
    const second = await requestLogs({ text: 'timeout', limit: 2, before: 3 }, search);
    expect(await second.json()).toEqual({ ...page, until: 3, hits: [{ sequence: 1, at }] });
  });

  it.each(['.*', '(a+)+$', '[', '\\d', '$&', "' or 1=1", '<script>'])(
    'treats %s as text',
    async (text) => {
      const { store, requestLogs } = await startService();
      store.append(APP, NAME, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!');
      store.append(APP, NAME, `before ${text} after`);
      const { hits } = (await (await requestLogs({ text }, search)).json()) as { hits: object[] };
      expect(hits).toMatchObject([{ sequence: 2 }]);
    },
  );

  it.each([
    [{}, 'text must be a string of 1 to 1000 characters'],
    [{ text: '' }, 'text must be a string of 1 to 1000 characters'],
    [{ text: 'x', from: 'yesterday' }, 'from must be a time such as 2026-01-31T09:30:00Z'],
    [{ text: 'x', limit: 1_001 }, 'limit must be a number between 1 and 1000'],
  ])('refuses %j', async (body, message) => {
    const { requestLogs } = await startService();
    const response = await requestLogs(body, search);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message });
  });
});

describe('a download', () => {
  const download = { path: '/download' };

  it('contains every kept line with its time, without colours', async () => {
    const { store, requestLogs } = await startService();
    for (let number = 1; number <= 300; number += 1) {
      store.append(APP, NAME, `\u001b[32m${number}\u001b[0m`);
    }
    store.append(APP, 'app-3f2a91-build-2', 'compiling');
    const response = await requestLogs({}, download);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="app-3f2a91-1970-01-01T00-00-00Z.log"',
    );
    const lines = (await response.text()).trim().split('\n');
    expect(lines).toHaveLength(301);
    expect(lines[0]).toBe(`1970-01-01T00:00:00.000Z [${NAME}]: 1`);
    expect(lines[300]).toBe('1970-01-01T00:00:00.000Z [app-3f2a91-build-2]: compiling');
  });

  it('contains only the lines of its filter', async () => {
    const { store, requestLogs } = await startService();
    for (const text of ['one', 'two', 'One']) store.append(APP, NAME, text);
    store.append(APP, 'app-3f2a91-build-2', 'one');
    const response = await requestLogs({ text: 'one', kind: 'app' }, download);
    expect(response.headers.get('content-disposition')).toContain('app-3f2a91-app-only-search-');
    expect((await response.text()).match(/: one\n|: One\n/g)).toHaveLength(2);
  });

  it.each([
    ['gzip', 'gzip', [0x1f, 0x8b]],
    ['identity', undefined, [...Buffer.from('19')]],
  ])('to a client that accepts %s is encoded as %s', async (accepted, encoding, firstBytes) => {
    const { store, url } = await startService();
    store.append(APP, NAME, 'one');
    const response = await openDownload(url, accepted);
    const body = Buffer.concat(await response.toArray());
    expect(response.headers['content-encoding']).toBe(encoding);
    expect([...body.subarray(0, 2)]).toEqual(firstBytes);
    const text = encoding === 'gzip' ? gunzipSync(body).toString() : body.toString();
    expect(text).toBe(`1970-01-01T00:00:00.000Z [${NAME}]: one\n`);
  });

  it('that its client does not read fails, and releases its reader', async () => {
    const { store, readers, url } = await startService({ limits: { downloadIdleMs: 50 } });
    await appendMegabytes(store, 14);
    const response = await openDownload(url, 'identity');
    await expect.poll(() => readers.open).toBe(1);
    await expect.poll(() => readers.open).toBe(0);
    const isCut = await response.toArray().then(
      () => false,
      () => true,
    );
    expect(isCut).toBe(true);
  });

  it('counts with searches, of which a user may have a few', async () => {
    const { store, url, requestLogs } = await startService({ limits: { scansPerUser: 1 } });
    await appendMegabytes(store, 14);
    const running = await openDownload(url, 'identity');
    const refused = await requestLogs({ text: 'x' }, { path: '/search' });
    expect(refused.status).toBe(429);
    running.destroy();
    const status = async () => (await requestLogs({ text: 'x' }, { path: '/search' })).status;
    await expect.poll(status).toBe(200);
  });
});

it('says what is kept', async () => {
  const { store, requestLogs } = await startService();
  const limits = { appBytes: 16_777_216, buildBytes: 4_194_304, builds: 10 };
  const empty = await requestLogs({}, { path: '/kept' });
  expect(await empty.json()).toEqual({ kinds: [], bytes: 0, limits });
  store.append(APP, NAME, 'one');
  store.append(APP, 'app-3f2a91-build-2', 'compiling');
  const kept = await requestLogs({}, { path: '/kept' });
  expect(await kept.json()).toEqual({
    since: '1970-01-01T00:00:00.000Z',
    kinds: ['app', 'build'],
    bytes: expect.any(Number),
    limits,
  });
});

/** A request without the automatic decompression of `fetch`. */
async function openDownload(url: string, acceptEncoding: string): Promise<IncomingMessage> {
  const sent = request(`${url}/download`, {
    method: 'POST',
    headers: { authorization: 'Bearer alice', 'accept-encoding': acceptEncoding },
  });
  sent.end(JSON.stringify({ projectId: PROJECT, appId: APP }));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

/** More than fits into the buffers between server and client. */
async function appendMegabytes(store: LogStore, megabytes: number): Promise<void> {
  const line = 'x'.repeat(10_000);
  for (let number = 0; number < megabytes * 100; number += 1) {
    store.append(APP, NAME, line);
    await store.waitForRoom(APP);
  }
  await store.flush(APP);
}
