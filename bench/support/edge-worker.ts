import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { buildEdge } from '../../scripts/steps/build-programs.mjs';
import { type ProxyOptions, type ProxyProcess, pinned } from './peer-proxies.ts';
import { NODE, ROOT } from './start-command.ts';

/** As the keeper starts it. */
const FLAGS = ['--max-semi-space-size=4', '--expose-gc'];
/** As the keeper asks it. */
export const PING_MS = 5_000;
const TICKET_KEY_BYTES = 48;

/** A worker of the edge, with its real program, on one core. Its keeper is this process. */
export async function startEdgeWorker(options: ProxyOptions): Promise<ProxyProcess> {
  const { core, scope } = options;
  await buildEdge();
  const [http, https] = [listen(), listen()];
  const program = join(ROOT, 'apps/edge/dist/worker.mjs');
  const [file, ...args] = pinned(core, [NODE, ...FLAGS, program]);
  const child = spawn(file, args, {
    env: { UV_THREADPOOL_SIZE: '2', PATH: process.env.PATH },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', http.descriptor, https.descriptor],
  });
  // Only the worker accepts connections.
  for (const { server } of [http, https]) server.close();
  const exited = once(child, 'exit');
  scope.defer(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  child.send({
    kind: 'start',
    descriptors: [
      { protocol: 'http', slot: 0 },
      { protocol: 'https', slot: 0 },
    ],
    state: stateOf(options),
    ticketKeys: Buffer.alloc(TICKET_KEY_BYTES, 1).toString('base64'),
  });
  await Promise.race([
    once(child, 'message'),
    exited.then(() => {
      throw new Error('The worker exited');
    }),
  ]);
  const pings = setInterval(() => child.send({ kind: 'ping' }, () => {}), PING_MS);
  scope.defer(() => clearInterval(pings));
  return { name: 'Longshore', port: http.port, tlsPort: https.port, pids: [child.pid ?? 0] };
}

function stateOf({ upstream, hosts, certificate, key }: ProxyOptions) {
  const [host, port] = upstream.split(':');
  const targets = [{ host, port: Number(port), state: 'ready' }];
  const read = (file: string) => readFileSync(file, 'utf8');
  return {
    settings: { trustedProxies: [], appNetworks: [], proxyProtocol: false },
    routes: hosts.map((name, index) => ({
      appId: `app-${index}`,
      hosts: [name],
      state: { kind: 'live', targets },
    })),
    certificates: [
      { id: 'one', names: hosts.slice(0, 1), chain: read(certificate), key: read(key) },
    ],
  };
}

/** Listens within this call, so that the descriptor can be inherited at once. */
function listen(): { server: Server; descriptor: number; port: number } {
  const server = createServer().listen(0);
  const { _handle: handle } = server as unknown as { _handle: { fd: number } };
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The port is not open');
  return { server, descriptor: handle.fd, port: address.port };
}
