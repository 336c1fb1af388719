import { describe, expect, it } from 'vitest';
import { APP, BUILD, describeStorages, NAME } from '../../test/logs/log-fixture.ts';
import { startLogsService } from '../../test/logs/logs-service.ts';

const ACCESS = 'app-3f2a91-access';
const neverAborted = new AbortController().signal;

const requests = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    at: 5_000 + from + index,
    text: `200 GET /${from + index}`,
  }));

describeStorages('the access log of an app', (openStore) => {
  it('is separate from its output, with its own numbers', async () => {
    const { store, read, texts } = await openStore();
    store.append(APP, BUILD, 'compiled');
    store.appendAccess(APP, requests(1, 2));
    store.append(APP, NAME, 'started');
    expect(await texts()).toEqual(['compiled', 'started']);
    expect((await read()).map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect(await read({ kind: 'access' })).toEqual([
      { sequence: 1, at: 5_001, name: ACCESS, text: '200 GET /1' },
      { sequence: 2, at: 5_002, name: ACCESS, text: '200 GET /2' },
    ]);
    for (const kind of ['app', 'build'] as const) {
      expect((await read({ kind })).map(({ name }) => name)).not.toContain(ACCESS);
    }
    expect(await read({ kind: 'access', release: 1 })).toEqual([]);
    expect(await read({ kind: 'access', previous: true })).toEqual([]);
    expect(await read({ instance: ACCESS })).toEqual([]);
  });

  it('survives a restart, and numbering continues', async () => {
    const { store, place } = await openStore();
    store.appendAccess(APP, requests(1, 1));
    await store.close();
    const reopened = await openStore({ place });
    reopened.store.appendAccess(APP, requests(2, 2));
    const lines = await reopened.read({ kind: 'access' });
    expect(lines.map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect(await reopened.texts()).toEqual([]);
  });

  it('is found by text and time', async () => {
    const { store, read } = await openStore();
    store.append(APP, NAME, 'GET /12');
    store.appendAccess(APP, requests(1, 20));
    const { hits } = await store.search(
      APP,
      { kind: 'access', text: 'get /12', limit: 10 },
      neverAborted,
    );
    expect(hits).toMatchObject([{ sequence: 12 }]);
    const output = await store.search(APP, { text: 'GET /', limit: 10 }, neverAborted);
    expect(output.hits).toMatchObject([{ sequence: 1 }]);
    const from = new Date(5_019).toISOString();
    expect((await read({ kind: 'access', from })).map(({ text }) => text)).toEqual([
      '200 GET /19',
      '200 GET /20',
    ]);
  });

  it('is masked like other lines', async () => {
    const { store, read } = await openStore({ secretsOf: async () => ['a-secret-token'] });
    store.appendAccess(APP, [{ at: 1, text: '200 GET /reset/a-secret-token' }]);
    expect((await read({ kind: 'access' }))[0]?.text).toBe('200 GET /reset/[secret]');
  });

  it('has a limit of its own: a flood of requests costs the app none of its lines', async () => {
    const limits = { segmentBytes: 1_000, segments: 2, accessSegments: 3, accessLines: 100 };
    const { store, storage, read, texts } = await openStore({ limits });
    store.append(APP, NAME, 'the first line');
    for (let flood = 0; flood < 50; flood += 1) {
      store.appendAccess(APP, requests(flood * 100, flood * 100 + 99));
      await read({ kind: 'access', tailLines: 1 });
    }
    store.append(APP, NAME, 'the last line');
    expect(await texts()).toEqual(['the first line', 'the last line']);
    const access = storage.of(APP, 'access');
    const segments = await access.list('.');
    expect(segments).toHaveLength(3);
    for (const segment of segments) {
      const range = await access.readRange('.', segment, { start: 0, maxBytes: 1 });
      expect(range?.segmentBytes).toBeLessThan(1_100);
    }
  });

  it('does not wait for room in memory: requests without room are counted', async () => {
    const { store, read } = await openStore({ limits: { accessLines: 10 } });
    store.appendAccess(APP, requests(1, 15));
    store.append(APP, NAME, 'stored');
    expect((await read({ kind: 'access' })).at(-1)?.text).toMatch(/^… 5 lines were dropped here/);
    expect((await read()).map(({ text }) => text)).toEqual(['stored']);
  });

  it('is deleted with the app, and a late request does not create it again', async () => {
    const { store, storage, read } = await openStore();
    store.appendAccess(APP, requests(1, 1));
    await read({ kind: 'access' });
    await store.remove(APP);
    store.appendAccess(APP, requests(2, 2));
    expect(await read({ kind: 'access' })).toEqual([]);
    expect(await storage.of(APP, 'access').list('.')).toEqual([]);
    store.prepareLog(APP);
    store.appendAccess(APP, requests(3, 3));
    expect((await read({ kind: 'access' })).map(({ text }) => text)).toEqual(['200 GET /3']);
  });

  it('is reported with what is kept', async () => {
    const { store } = await openStore();
    store.appendAccess(APP, requests(1, 1));
    expect(await store.kept(APP)).toMatchObject({
      since: undefined,
      kinds: [],
      bytes: 0,
      access: { since: new Date(5_001).toISOString(), maxBytes: 8 * 1024 * 1024 },
    });
  });
});

describe('the service', () => {
  it('streams requests live, but only when they are asked for', async () => {
    const { store, requestLogs } = await startLogsService();
    store.append(APP, NAME, 'started');
    const response = await requestLogs({ kind: 'access', follow: true });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    store.appendAccess(APP, requests(1, 1));
    const { value } = await reader.read();
    expect(Buffer.from(value ?? []).toString()).toBe(`[${ACCESS}]: 200 GET /1\n`);
    await reader.cancel();
    expect(await (await requestLogs()).text()).toBe(`[${NAME}]: started\n`);
  });

  it('downloads requests under a name of their own', async () => {
    const { store, requestLogs } = await startLogsService();
    store.append(APP, NAME, 'started');
    store.appendAccess(APP, requests(1, 1));
    const file = await requestLogs({ kind: 'access' }, { path: '/download' });
    expect(file.headers.get('content-disposition')).toContain('app-3f2a91-access-only-');
    expect(await file.text()).toBe(`1970-01-01T00:00:05.001Z [${ACCESS}]: 200 GET /1\n`);
  });

  it('says which kinds there are', async () => {
    const { requestLogs } = await startLogsService();
    const response = await requestLogs({ kind: 'requests' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message: 'kind must be app, build or access' });
  });
});
