import { createFakeAuth, createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { Fetch } from '../ports.ts';
import { createUploads } from './create-uploads.ts';

function prepare(fetch: Fetch) {
  const clock = createSimulatedClock();
  return createUploads({ url: 'http://b/v1/apps', clock, fetch, auth: createFakeAuth() });
}

it('sends an archive and asks for the sample app as the signed-in user', async () => {
  const sent: unknown[] = [];
  const uploads = prepare(async (url, init) => {
    const { method, headers, body } = init ?? {};
    sent.push({ url, method, headers, body });
    return Response.json({});
  });
  const archive = new Blob(['archive']);
  expect(await uploads.source('a/1', archive)).toEqual({ ok: true, data: undefined });
  expect(await uploads.sample('a2')).toEqual({ ok: true, data: undefined });
  const Authorization = 'Bearer token-1';
  expect(sent).toEqual([
    {
      url: 'http://b/v1/apps/a%2F1/source',
      method: 'POST',
      headers: { 'content-type': 'application/gzip', Authorization },
      body: archive,
    },
    { url: 'http://b/v1/apps/a2/sample', method: 'POST', headers: { Authorization } },
  ]);
});

it('returns why an upload is refused', async () => {
  const refused = Response.json({ message: 'a is a hard link' }, { status: 400 });
  const uploads = prepare(async () => refused);
  expect(await uploads.source('a', new Blob())).toMatchObject({
    ok: false,
    error: { status: 400, message: 'a is a hard link' },
  });
});
