import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createKubernetesApi } from './kubernetes-api.ts';
import { isClusterDown } from './kubernetes-error.ts';

/** Sends a line, then breaks the connection. */
const server = createServer((_request, response) => {
  response.write('line\n', () => response.destroy());
});
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => void server.close());

it('reports a stream whose connection breaks as a cluster that does not respond', async () => {
  const { port } = server.address() as AddressInfo;
  const api = createKubernetesApi({
    server: `http://127.0.0.1:${port}`,
    authorize: async () => {},
  });
  const { signal } = new AbortController();
  const received: string[] = [];
  const read = async () => {
    for await (const chunk of await api.follow('/', { signal })) received.push(String(chunk));
  };
  const error: unknown = await read().catch((thrown: unknown) => thrown);
  expect(isClusterDown(error)).toBe(true);
  expect(received).toEqual(['line\n']);
});

it('reads the access to the cluster once for many requests, and again after a refusal', async () => {
  const tokens: unknown[] = [];
  const cluster = createServer(({ headers }, response) => {
    tokens.push(headers.authorization);
    response.writeHead(tokens.length === 3 ? 401 : 200).end('{}');
  });
  await once(cluster.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void cluster.close());
  let reads = 0;
  const api = createKubernetesApi({
    server: `http://127.0.0.1:${(cluster.address() as AddressInfo).port}`,
    async authorize(options) {
      reads += 1;
      options.headers = { ...options.headers, authorization: `Bearer ${reads}` };
    },
  });
  const { signal } = new AbortController();
  for (let request = 0; request < 4; request += 1) {
    await api.call('GET', '/', { signal }).catch(() => {});
  }
  expect(tokens).toEqual(['Bearer 1', 'Bearer 1', 'Bearer 1', 'Bearer 2']);
});
