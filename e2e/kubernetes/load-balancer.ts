import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { ChartBench } from '@longshore/server/testing/chart';

const CHECK_MS = 2_000;
/** As many in a row take a node out: it gets connections for up to ten seconds after its last edge began to end. */
const FAILURES = 5;

type Service = { spec: { healthCheckNodePort: number; ports: { nodePort: number }[] } };
type Nodes = { items: { status: { addresses: { type: string; address: string }[] } }[] };

/** As those of clouds: it asks each node whether it has an edge, and passes connections on to the nodes that have one. */
export async function startLoadBalancer({ kubectl }: ChartBench) {
  const { spec } = JSON.parse(
    await kubectl('get', 'service', 'longshore-edge', '-o', 'json'),
  ) as Service;
  const { items } = JSON.parse(await kubectl('get', 'nodes', '-o', 'json')) as Nodes;
  const nodes = items.map(({ status }) => ({
    host: status.addresses.find(({ type }) => type === 'InternalIP')?.address ?? '',
    failures: 0,
  }));
  let turn = 0;
  const sockets = new Set<Socket>();
  const check = () => {
    for (const node of nodes) {
      void isHealthy(node.host, spec.healthCheckNodePort).then((isUp) => {
        node.failures = isUp ? 0 : node.failures + 1;
      });
    }
  };
  const timer = setInterval(check, CHECK_MS);
  const server = createServer((client) => {
    const healthy = nodes.filter(({ failures }) => failures < FAILURES);
    turn += 1;
    const node = healthy[turn % healthy.length];
    if (node === undefined) {
      client.destroy();
      return;
    }
    const edge = connect(spec.ports[0]?.nodePort ?? 0, node.host);
    for (const [from, to] of [
      [client, edge],
      [edge, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => sockets.delete(from));
      from.pipe(to);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      clearInterval(timer);
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function isHealthy(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(CHECK_MS);
    request({ host, port, path: '/healthz', signal }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    })
      .on('error', () => resolve(false))
      .end();
  });
}
