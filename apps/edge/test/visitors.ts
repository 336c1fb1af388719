import { createServer, type RequestListener, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AppRoute } from '@longshore/edge-contract';

/** An app behind the edge. */
export type TestApp = {
  route(appId?: string): AppRoute;
  address: { host: string; port: number };
  stop(): Promise<void>;
};

export async function startTestApp(
  handle: RequestListener = (incoming, response) => void response.end(`app ${incoming.url}`),
): Promise<TestApp> {
  const server = createServer(handle);
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  return {
    address,
    route: (appId = 'a') => ({
      appId,
      hosts: [`${appId}.test`],
      state: { kind: 'live', targets: [{ ...address, state: 'ready' }] },
    }),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Visit = { path?: string; host?: string };

/** Status and body of one request. */
export function visit(port: number, { path = '/', host = 'a.test' }: Visit = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ port, path, headers: { host }, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += String(chunk);
      });
      response.on('end', () => resolve(`${response.statusCode} ${text}`));
      response.on('error', reject);
    })
      .on('error', reject)
      .end();
  });
}
