import { describe, expect, it } from 'vitest';
import { APP, NAME } from '../../test/logs/log-fixture.ts';
import { startLogsService } from '../../test/logs/logs-service.ts';

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
      const { requestLogs } = await startLogsService();
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
    const { store, requestLogs } = await startLogsService();
    for (const text of ['one', 'two', 'three']) store.append(APP, NAME, text);
    const response = await requestLogs({ tailLines: 2 });
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(await response.text()).toBe(`[${NAME}]: two\n[${NAME}]: three\n`);
  });

  it('contains the last hundred lines by default', async () => {
    const { store, requestLogs } = await startLogsService();
    for (let number = 1; number <= 150; number += 1) store.append(APP, NAME, `${number}`);
    const lines = (await (await requestLogs()).text()).trim().split('\n');
    expect(lines).toHaveLength(100);
    expect(lines[0]).toBe(`[${NAME}]: 51`);
  });

  it('keeps colours and removes NUL and line breaks', async () => {
    const { store, requestLogs } = await startLogsService();
    store.append(APP, NAME, '\u001b[32mgreen\u001b[0m');
    store.append(APP, NAME, 'nul \0 break \n[x-build-1]: forged \ufffd');
    expect(await (await requestLogs()).text()).toBe(
      `[${NAME}]: \u001b[32mgreen\u001b[0m\n[${NAME}]: nul  break  [x-build-1]: forged \ufffd\n`,
    );
  });

  it('can be limited to one kind of lines or one build', async () => {
    const { store, requestLogs } = await startLogsService();
    store.append(APP, NAME, 'running');
    store.append(APP, 'app-3f2a91-build-2', 'compiling');
    const textOf = async (body: Record<string, unknown>) => await (await requestLogs(body)).text();
    expect(await textOf({ kind: 'app' })).toBe(`[${NAME}]: running\n`);
    expect(await textOf({ kind: 'build' })).toBe('[app-3f2a91-build-2]: compiling\n');
    expect(await textOf({ release: 2 })).toBe('[app-3f2a91-build-2]: compiling\n');
  });

  it('contains sequence numbers as JSON lines, for resuming', async () => {
    const { store, requestLogs } = await startLogsService();
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
    const { requestLogs } = await startLogsService();
    expect(await (await requestLogs()).text()).toBe('');
  });

  it('can have thousands of lines', async () => {
    const { store, requestLogs } = await startLogsService();
    for (let number = 1; number <= 5_000; number += 1) store.append(APP, NAME, `${number}`);
    const lines = (await (await requestLogs({ tailLines: 100_000 })).text()).split('\n');
    expect(lines).toHaveLength(5_001);
    expect(lines[4_999]).toBe(`[${NAME}]: 5000`);
  });

  it('can be the previous run, which ends even with follow', async () => {
    const { store, requestLogs } = await startLogsService();
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
    const { store, requestLogs } = await startLogsService();
    const response = await requestLogs({ follow: true });
    expect(response.status).toBe(200);
    store.append(APP, NAME, 'first');
    expect(await nextText(response.body)).toBe(`[${NAME}]: first\n`);
    await response.body?.cancel();
  });

  it('can skip existing lines', async () => {
    const { store, requestLogs } = await startLogsService();
    store.append(APP, NAME, 'old');
    const response = await requestLogs({ follow: true, tailLines: 0 });
    store.append(APP, NAME, 'new');
    expect(await nextText(response.body)).toBe(`[${NAME}]: new\n`);
    await response.body?.cancel();
  });

  it('closes its readers when the client disconnects', async () => {
    const { store, readers, requestLogs } = await startLogsService();
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
    const { requestLogs, readers } = await startLogsService({ limits: { streamsPerUser: 2 } });
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
    const { requestLogs } = await startLogsService({ lifetimeMs: 100 });
    expect(await (await requestLogs({ follow: true })).text()).toBe('');
  });

  it('ends when the app is removed', async () => {
    const { store, requestLogs } = await startLogsService();
    store.append(APP, NAME, 'last line');
    const response = await requestLogs({ follow: true });
    expect(await nextText(response.body)).toContain('last line');
    await store.remove(APP);
    expect(await nextText(response.body)).toBe('');
  });
});
