import { createFakeAuth, createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { Fetch } from '../ports.ts';
import { createStoredLogs } from './stored-logs.ts';

const app = { projectId: 'p', appId: 'a' };
const { signal } = new AbortController();

function prepare(fetch: Fetch) {
  const clock = createSimulatedClock();
  return createStoredLogs({ url: 'http://b/v1/logs', clock, fetch, auth: createFakeAuth() });
}

it('searches as the signed-in user', async () => {
  const page = { hits: [{ sequence: 3, at: '2026-01-31T09:30:00.000Z' }], until: 9, oldest: 1 };
  const sent: unknown[] = [];
  const logs = prepare(async (url, init) => {
    sent.push({ url, body: init?.body, headers: init?.headers });
    return Response.json(page);
  });
  expect(await logs.search({ ...app, text: '.*', before: 9 }, { signal })).toEqual({
    ok: true,
    data: page,
  });
  expect(sent).toEqual([
    {
      url: 'http://b/v1/logs/search',
      body: JSON.stringify({ ...app, text: '.*', before: 9 }),
      headers: { 'content-type': 'application/json', Authorization: 'Bearer token-1' },
    },
  ]);
});

it('downloads a file under the name that the server gives it', async () => {
  const headers = { 'content-disposition': 'attachment; filename="app-3f2a91.log"' };
  const logs = prepare(async () => new Response('one\n', { headers }));
  const result = await logs.download({ ...app, text: 'one' }, { signal });
  if (!result.ok) throw new Error(result.error.message);
  expect(result.data.name).toBe('app-3f2a91.log');
  expect(await result.data.content.text()).toBe('one\n');
});

it.each(['attachment; filename="../../etc/passwd"', 'attachment', null])(
  'does not use %s as a file name',
  async (header) => {
    const headers = header === null ? undefined : { 'content-disposition': header };
    const logs = prepare(async () => new Response('', headers && { headers }));
    expect(await logs.download(app, { signal })).toMatchObject({ data: { name: 'app.log' } });
  },
);

it('fails if the download is cut', async () => {
  const cut = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('one\n'));
      controller.error(new Error('cut'));
    },
  });
  const logs = prepare(async () => new Response(cut));
  expect(await logs.download(app, { signal })).toMatchObject({
    ok: false,
    error: { message: 'Network Error' },
  });
});

it('returns the message of a refused request', async () => {
  const message = 'Too many log searches and downloads are running. Try again when one ends.';
  const logs = prepare(async () => Response.json({ message }, { status: 429 }));
  const refused = { ok: false, error: { status: 429, message } };
  expect(await logs.search({ ...app, text: 'x' }, { signal })).toMatchObject(refused);
  expect(await logs.download(app, { signal })).toMatchObject(refused);
  expect(await logs.kept(app, { signal })).toMatchObject(refused);
});

it('fails on a response that it does not understand', async () => {
  const logs = prepare(async () => Response.json({}));
  const error = { message: 'Unexpected response from the server' };
  expect(await logs.search({ ...app, text: 'x' }, { signal })).toMatchObject({ error });
  expect(await logs.kept(app, { signal })).toMatchObject({ error });
});
