import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { APP, NAME } from '../../test/logs/log-fixture.ts';
import { PROJECT, startLogsService } from '../../test/logs/logs-service.ts';
import type { LogStore } from './log-store.ts';

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
    const { store, requestLogs } = await startLogsService();
    for (let number = 1; number <= 10; number += 1) store.append(APP, NAME, `${number}`);
    expect(await textsOf(await requestLogs(body))).toEqual(expected);
  });
});

describe('searching', () => {
  const search = { path: '/search' };

  it('returns pages of hits, newest first, and where to continue', async () => {
    const { store, requestLogs } = await startLogsService();
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
      const { store, requestLogs } = await startLogsService();
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
    const { requestLogs } = await startLogsService();
    const response = await requestLogs(body, search);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message });
  });
});

describe('a download', () => {
  const download = { path: '/download' };

  it('contains every kept line with its time, without colours', async () => {
    const { store, requestLogs } = await startLogsService();
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
    const { store, requestLogs } = await startLogsService();
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
    const { store, url } = await startLogsService();
    store.append(APP, NAME, 'one');
    const response = await openDownload(url, accepted);
    const body = Buffer.concat(await response.toArray());
    expect(response.headers['content-encoding']).toBe(encoding);
    expect([...body.subarray(0, 2)]).toEqual(firstBytes);
    const text = encoding === 'gzip' ? gunzipSync(body).toString() : body.toString();
    expect(text).toBe(`1970-01-01T00:00:00.000Z [${NAME}]: one\n`);
  });

  it('that its client does not read fails', async () => {
    const limits = { downloadIdleMs: 100, scansPerUser: 1 };
    const printError = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => printError.mockRestore());
    const { store, url, cuts, requestLogs } = await startLogsService({ limits });
    await appendMegabytes(store, 14);
    const response = await openDownload(url, 'identity');
    // The next scan may begin when the download has ended.
    const status = async () => (await requestLogs({ text: 'x' }, { path: '/search' })).status;
    await expect.poll(status).toBe(200);
    const isCut = await response.toArray().then(
      () => false,
      () => true,
    );
    expect(isCut).toBe(true);
    expect(cuts).toEqual([expect.objectContaining({ name: 'StreamCut' })]);
    expect(printError).not.toHaveBeenCalled();
  });

  it('counts with searches, of which a user may have a few', async () => {
    const { store, url, requestLogs } = await startLogsService({ limits: { scansPerUser: 1 } });
    await appendMegabytes(store, 14);
    const running = await openDownload(url, 'identity');
    const refused = await requestLogs({ text: 'x' }, { path: '/search' });
    expect(refused.status).toBe(429);
    running.destroy();
    const status = async () => (await requestLogs({ text: 'x' }, { path: '/search' })).status;
    await expect.poll(status).toBe(200);
  });
});

it.each(['', '/download'])('a request to %j whose lines cannot be read fails', async (path) => {
  const printError = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => printError.mockRestore());
  const failure = new Error('The disk failed');
  // biome-ignore lint/correctness/useYield: it fails before the first line.
  const read = async function* () {
    throw failure;
  };
  const { cuts, requestLogs } = await startLogsService({ open: async () => read });
  const request = requestLogs({ follow: false }, { path }).then((response) => response.text());
  await expect(request).rejects.toThrow();
  expect(cuts).toEqual([failure]);
  expect(printError).not.toHaveBeenCalled();
});

it('says what is kept', async () => {
  const { store, requestLogs } = await startLogsService();
  const limits = { appBytes: 16_777_216, buildBytes: 4_194_304, builds: 10 };
  const empty = await requestLogs({}, { path: '/kept' });
  const access = { bytes: 0, maxBytes: 8_388_608 };
  expect(await empty.json()).toEqual({ kinds: [], bytes: 0, limits, access });
  store.append(APP, NAME, 'one');
  store.append(APP, 'app-3f2a91-build-2', 'compiling');
  const kept = await requestLogs({}, { path: '/kept' });
  expect(await kept.json()).toEqual({
    since: '1970-01-01T00:00:00.000Z',
    kinds: ['app', 'build'],
    bytes: expect.any(Number),
    limits,
    access,
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
