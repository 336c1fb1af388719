import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Problem, problemBody } from '../http/problem.ts';
import { createLogStore } from './log-store.ts';
import { createLogsService, type LogsSession } from './service.ts';

const APP = '3f2a91aa-0000-4000-8000-000000000000';
const PROJECT = 'b0b0b0b0-0000-4000-8000-000000000000';
const NAME = 'app-3f2a91-1';
const LIFETIME_MS = 60_000;
const clock = { now: () => 0 };

async function startService({ lifetimeMs = LIFETIME_MS, readersPerUser = 100 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'logs-'));
  const store = createLogStore({ folder, clock });
  const readers = { open: 0 };
  const service = createLogsService({
    clock,
    store: { open: counted(store.open, readers) },
    readersPerUser,
    session: async (request) => sessionOf(request, lifetimeMs),
    ownApp: async (userId, projectId, appId) =>
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
  return { store, readers, ask: asker(url) };
}

function sessionOf(request: Request, lifetimeMs: number): LogsSession | undefined {
  const authorization = request.headers.get('authorization') ?? '';
  const userId = /^Bearer (alice|bob)$/.exec(authorization)?.[1];
  return userId === undefined ? undefined : { userId, expiresAt: new Date(lifetimeMs) };
}

function asker(url: string) {
  return (
    body: object = {},
    options: { token?: string | undefined; signal?: AbortSignal; accept?: string } = {},
  ) => {
    const { token = 'alice', signal = null, accept = '*/*' } = options;
    return fetch(url, {
      method: 'POST',
      signal,
      headers: { accept, ...(token === '' ? {} : { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ projectId: PROJECT, appId: APP, ...body }),
    });
  };
}

type Open = ReturnType<typeof createLogStore>['open'];

/** Counts the readers that are still open. */
function counted(open: Open, readers: { open: number }): Open {
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

describe('who may read', () => {
  it.each([
    ['no token', { token: '' }, {}, 401, 'unauthorized', 'Missing or invalid access token'],
    [
      'a bad token',
      { token: 'mallory' },
      {},
      401,
      'unauthorized',
      'Missing or invalid access token',
    ],
    ['somebody else', { token: 'bob' }, {}, 404, 'not-found', 'App not found'],
    ['an unknown app', {}, { appId: 'other' }, 404, 'not-found', 'App not found'],
    ['a hostile app', {}, { appId: '../../etc' }, 404, 'not-found', 'App not found'],
    ['another project', {}, { projectId: 'other' }, 404, 'not-found', 'App not found'],
    ['no project', {}, { projectId: 1 }, 400, 'invalid-request', 'projectId must be a string'],
  ])('%s is refused', async (_who, options, body, status, error, message) => {
    const { ask } = await startService();
    const response = await ask(body, options);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ status, error, message });
  });
});

describe('what is read', () => {
  it('are the last lines as text', async () => {
    const { store, ask } = await startService();
    for (const text of ['one', 'two', 'three']) store.append(APP, NAME, text);
    const response = await ask({ tailLines: 2 });
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(await response.text()).toBe(`[${NAME}]: two\n[${NAME}]: three\n`);
  });

  it('are the last hundred lines when nothing else is asked for', async () => {
    const { store, ask } = await startService();
    for (let number = 1; number <= 150; number += 1) store.append(APP, NAME, `${number}`);
    const lines = (await (await ask()).text()).trim().split('\n');
    expect(lines).toHaveLength(100);
    expect(lines[0]).toBe(`[${NAME}]: 51`);
  });

  it('keeps colours, and what is no text harms nobody', async () => {
    const { store, ask } = await startService();
    store.append(APP, NAME, '\u001b[32mgreen\u001b[0m');
    store.append(APP, NAME, 'nul \0 break \n[x-build-1]: forged \ufffd');
    expect(await (await ask()).text()).toBe(
      `[${NAME}]: \u001b[32mgreen\u001b[0m\n[${NAME}]: nul  break  [x-build-1]: forged \ufffd\n`,
    );
  });

  it('are lines of one kind, or of one build, when that is asked for', async () => {
    const { store, ask } = await startService();
    store.append(APP, NAME, 'running');
    store.append(APP, 'app-3f2a91-build-2', 'compiling');
    const textOf = async (wish: Record<string, unknown>) => await (await ask(wish)).text();
    expect(await textOf({ kind: 'app' })).toBe(`[${NAME}]: running\n`);
    expect(await textOf({ kind: 'build' })).toBe('[app-3f2a91-build-2]: compiling\n');
    expect(await textOf({ release: 2 })).toBe('[app-3f2a91-build-2]: compiling\n');
  });

  it('are numbered for who wants to go on after one of them', async () => {
    const { store, ask } = await startService();
    for (const text of ['one', 'two', 'three']) store.append(APP, NAME, text);
    const response = await ask({ after: 1 }, { accept: 'application/x-ndjson' });
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

  it('is nothing where nothing was said', async () => {
    const { ask } = await startService();
    expect(await (await ask()).text()).toBe('');
  });

  it('may be many lines', async () => {
    const { store, ask } = await startService();
    for (let number = 1; number <= 5_000; number += 1) store.append(APP, NAME, `${number}`);
    const lines = (await (await ask({ tailLines: 100_000 })).text()).split('\n');
    expect(lines).toHaveLength(5_001);
    expect(lines[4_999]).toBe(`[${NAME}]: 5000`);
  });

  it('is the run before, which is over, when that is asked for', async () => {
    const { store, ask } = await startService();
    store.append(APP, NAME, 'crashed');
    store.append(APP, 'app-3f2a91-2', 'again');
    const response = await ask({ previous: true, follow: true });
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

  it('answers at once, before there is any line', async () => {
    const { store, ask } = await startService();
    const response = await ask({ follow: true });
    expect(response.status).toBe(200);
    store.append(APP, NAME, 'first');
    expect(await nextText(response.body)).toBe(`[${NAME}]: first\n`);
    await response.body?.cancel();
  });

  it('can leave out what was before', async () => {
    const { store, ask } = await startService();
    store.append(APP, NAME, 'old');
    const response = await ask({ follow: true, tailLines: 0 });
    store.append(APP, NAME, 'new');
    expect(await nextText(response.body)).toBe(`[${NAME}]: new\n`);
    await response.body?.cancel();
  });

  it('ends everything behind it when the client leaves', async () => {
    const { store, readers, ask } = await startService();
    const leaving = new AbortController();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => ask({ follow: true }, { signal: leaving.signal })),
    );
    store.append(APP, NAME, 'hello');
    await Promise.all(responses.map(({ body }) => nextText(body)));
    expect(readers.open).toBe(10);
    leaving.abort();
    await expect.poll(() => readers.open).toBe(0);
  });

  it('is for so many at once and no more, and for the next when one leaves', async () => {
    const { ask, readers } = await startService({ readersPerUser: 2 });
    const leaving = new AbortController();
    await ask({ follow: true }, { signal: leaving.signal });
    const second = await ask({ follow: true });
    const refused = await ask({ follow: true });
    expect(refused.status).toBe(429);
    expect(await refused.json()).toEqual({
      status: 429,
      error: 'too-many-requests',
      message: 'Too many logs are open at once; close some of them and try again',
    });
    await expect.poll(() => readers.open).toBe(2);
    leaving.abort();
    await expect.poll(async () => (await ask()).status).toBe(200);
    await second.body?.cancel();
  });

  it('ends with the token', async () => {
    const { ask } = await startService({ lifetimeMs: 100 });
    expect(await (await ask({ follow: true })).text()).toBe('');
  });

  it('ends with the app', async () => {
    const { store, ask } = await startService();
    store.append(APP, NAME, 'last words');
    const response = await ask({ follow: true });
    expect(await nextText(response.body)).toContain('last words');
    await store.remove(APP);
    expect(await nextText(response.body)).toBe('');
  });
});
