import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Scope } from './scope.ts';

export type SimulatedLogs = {
  /** How many logs are followed now. */
  followed(): number;
};

type Options = { certificate: string; key: string; host: string; port: number };

/**
 * The part of a kubelet that sends logs, for all simulated nodes. Not that of kwok, which needs a file and an inotify instance for
 * each log that is followed.
 */
export async function serveSimulatedLogs(
  { certificate, key, host, port }: Options,
  scope: Scope,
): Promise<SimulatedLogs> {
  const followers = new Set<ServerResponse>();
  const tls = { cert: await readFile(certificate), key: await readFile(key) };
  const server = createServer(tls, (request, response) => {
    const url = new URL(request.url ?? '', 'https://node');
    response.writeHead(200, { 'content-type': 'text/plain' });
    if (url.searchParams.get('follow') !== 'true') {
      response.end();
      return;
    }
    response.flushHeaders();
    followers.add(response);
    response.once('close', () => followers.delete(response));
  });
  server.listen(port, host);
  await once(server, 'listening');
  scope.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  return { followed: () => followers.size };
}
