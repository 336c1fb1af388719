import type { AddressInfo } from 'node:net';
import { systemClock, type Target } from '@longshore/edge-contract';
import { onTestFinished } from 'vitest';
import { createVisitorServer, stopServer } from '../src/proxy/http-server.ts';
import { LIMITS } from '../src/proxy/limits.ts';
import { createProxy, type EdgeProxy, type ProxyDeps } from '../src/proxy/proxy.ts';

/** A proxy with an HTTP server on a free port, stopped when the test ends. */
export async function startProxy(
  deps: Partial<ProxyDeps> = {},
): Promise<{ proxy: EdgeProxy; port: number }> {
  const proxy = createProxy({ clock: systemClock, onWake() {}, ...deps });
  const limits = { ...LIMITS, ...deps.limits };
  const server = createVisitorServer(proxy, { limits });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    proxy.beginStop();
    await stopServer(server, 0, proxy.stop);
    proxy.stop();
  });
  return { proxy, port: (server.address() as AddressInfo).port };
}

export function readyTarget({ host, port }: { host: string; port: number }): Target {
  return { host, port, state: 'ready' };
}
