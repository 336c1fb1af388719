import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFakeEngine } from '@longshore/testkit/engine';
import type { Address, Engine, Instance } from '../src/engines/engine.ts';

const LOOPBACK = '127.0.0.1';

/**
 * The fake engine with a real HTTP server for each instance. Stopping an instance closes its server and all of its
 * connections immediately.
 */
export function createServingEngine(
  clock: { now(): number },
  listenerOf: (release: number) => RequestListener,
): Engine & { crash(appId: string, instance: Instance): void; close(): void } {
  const engine = createFakeEngine({ clock });
  const servers = new Map<string, { server: Server; address: Address }>();
  const keyOf = (appId: string, { id }: Instance) => `${appId} ${id}`;
  const withRealAddress = (appId: string, instance: Instance): Instance => ({
    ...instance,
    address: servers.get(keyOf(appId, instance))?.address ?? instance.address,
  });

  function closeServer(key: string): void {
    servers.get(key)?.server.close().closeAllConnections();
    servers.delete(key);
  }

  return {
    ...engine,
    async observe(appId, signal) {
      const { built, instances } = await engine.observe(appId, signal);
      return { built, instances: instances.map((it) => withRealAddress(appId, it)) };
    },
    async startInstance(spec, signal) {
      const instance = await engine.startInstance(spec, signal);
      const server = createServer(listenerOf(spec.number));
      await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
      const { port } = server.address() as AddressInfo;
      servers.set(keyOf(spec.appId, instance), { server, address: { host: LOOPBACK, port } });
      return withRealAddress(spec.appId, instance);
    },
    async stopInstance(appId, instance, signal) {
      await engine.stopInstance(appId, instance, signal);
      closeServer(keyOf(appId, instance));
    },
    /** As when the process is killed: its connections are reset before anybody is told. */
    crash(appId, instance) {
      closeServer(keyOf(appId, instance));
      engine.exitInstance(appId, instance.id, { code: undefined, signal: 'SIGKILL' });
    },
    close() {
      for (const key of [...servers.keys()]) closeServer(key);
    },
  };
}
