import { Hono } from 'hono';
import { expect, it, vi } from 'vitest';
import { APP } from '../../test/logs/log-fixture.ts';
import { Problem, problemBody } from '../http/problem.ts';
import { createLogsService } from './service.ts';

/** A logs service that reads files until the signal aborts. */
function startSlowService(scanMs?: number) {
  const scans: AbortSignal[] = [];
  const scan = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      scans.push(signal);
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  const service = createLogsService({
    clock: { now: () => 0 },
    store: {
      open: (_appId, _query, signal) => scan(signal),
      search: (_appId, _search, signal) => scan(signal),
      kept: () => Promise.reject(new Error('It is not called')),
    },
    ...(scanMs === undefined ? {} : { limits: { scanMs } }),
    session: async () => ({ userId: 'alice', expiresAt: new Date(60_000), onEnd: () => () => {} }),
    ownsApp: async () => true,
    logCut: () => {},
  });
  const app = new Hono().route('/v1/logs', service);
  app.onError((error, context) => {
    const problem = error instanceof Problem ? error : new Problem(500, 'unexpected', '');
    return context.json(problemBody(problem), problem.status);
  });
  const post = async (path: string, body: object, signal?: AbortSignal) =>
    await app.request(
      new Request(`http://localhost/v1/logs${path}`, {
        method: 'POST',
        body: JSON.stringify({ projectId: 'project', appId: APP, ...body }),
        ...(signal === undefined ? {} : { signal }),
      }),
    );
  return { scans, post };
}

it.each(['', '/search', '/download'])('POST %s stops reading with its request', async (path) => {
  const { scans, post } = startSlowService();
  const client = new AbortController();
  const response = post(path, { text: 'x' }, client.signal);
  await vi.waitFor(() => expect(scans).toHaveLength(1));
  client.abort();
  expect(scans[0]?.aborted).toBe(true);
  await response;
});

it.each(['', '/search', '/download'])('POST %s asks to try again after a time', async (path) => {
  const { post } = startSlowService(1);
  const response = await post(path, { text: 'x' });
  const message = 'Reading the log took too long. Try again.';
  expect(await response.json()).toEqual({ status: 503, error: 'timeout', message });
});

it('searches two texts at a time, also for streams', async () => {
  const { scans, post } = startSlowService();
  const clients = Array.from({ length: 3 }, () => new AbortController());
  const responses = clients.map(({ signal }) => post('', { text: 'x' }, signal));
  const withoutText = new AbortController();
  responses.push(post('', {}, withoutText.signal));
  // The stream without a text, which was requested last, does not wait.
  await vi.waitFor(() => expect(scans).toHaveLength(3));
  clients[0]?.abort();
  await vi.waitFor(() => expect(scans).toHaveLength(4));
  for (const client of [...clients, withoutText]) client.abort();
  await Promise.all(responses);
});
