import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFakeEngine } from '@longshore/testkit/engine';
import type { Address, Engine, Instance } from '../src/engines/engine.ts';

const LOOPBACK = '127.0.0.1';

/**
 * The fake engine, with a real HTTP server on a real port for each instance. A stopped one is cut off at once, with
 * every connection it has.
 */
export function createServingEngine(
  clock: { now(): number },
  listenerOf: (release: number) => RequestListener,
): Engine & { close(): void } {
  const engine = createFakeEngine({ clock });
  const servers = new Map<string, { server: Server; address: Address }>();
  const keyOf = (appId: string, { id }: Instance) => `${appId} ${id}`;
  const placed = (appId: string, instance: Instance): Instance => ({
    ...instance,
    address: servers.get(keyOf(appId, instance))?.address ?? instance.address,
  });

  function cut(key: string): void {
    servers.get(key)?.server.close().closeAllConnections();
    servers.delete(key);
  }

  return {
    ...engine,
    async observe(appId, signal) {
      const { built, instances } = await engine.observe(appId, signal);
      return { built, instances: instances.map((it) => placed(appId, it)) };
    },
    async startInstance(spec, signal) {
      const instance = await engine.startInstance(spec, signal);
      const server = createServer(listenerOf(spec.number));
      await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
      const { port } = server.address() as AddressInfo;
      servers.set(keyOf(spec.appId, instance), { server, address: { host: LOOPBACK, port } });
      return placed(spec.appId, instance);
    },
    async stopInstance(appId, instance, signal) {
      await engine.stopInstance(appId, instance, signal);
      cut(keyOf(appId, instance));
    },
    close() {
      for (const key of [...servers.keys()]) cut(key);
    },
  };
}
