import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Address } from '@longshore/edge-contract';
import { systemClock } from '@longshore/edge-contract';
import { onTestFinished } from 'vitest';
import { createIngress, type Ingress, type IngressDeps } from '../src/proxy/ingress.ts';
import type { ProxyLimits } from '../src/proxy/limits.ts';

export const HOST = 'hello-0123456789ab.localhost';
const LOOPBACK = '127.0.0.1';

/** A real ingress on a free port, stopped when the test ends. */
export async function startIngress(
  limits: Partial<ProxyLimits> = {},
  deps: Partial<IngressDeps> = {},
): Promise<{ ingress: Ingress; port: number }> {
  const ingress = createIngress({ ...ingressDeps(), limits, ...deps });
  const { port } = await ingress.listen();
  onTestFinished(() => ingress.stop(0));
  return { ingress, port };
}

/** For tests in which no app is hibernated or woken. */
export function ingressDeps(): IngressDeps {
  return {
    host: LOOPBACK,
    port: 0,
    isTrustedProxy: undefined,
    clock: systemClock,
    wake: () => Promise.reject(new Error('Unexpected call')),
    hibernate: () => Promise.reject(new Error('Unexpected call')),
    logError(error) {
      throw error;
    },
  };
}

/** A real app on a free port. */
export async function startApp(listener: RequestListener): Promise<{ server: Server } & Address> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, host: LOOPBACK, port: (server.address() as AddressInfo).port };
}

/** An ingress with one live app behind `HOST`. */
export async function startServing(
  listener: RequestListener,
  limits: Partial<ProxyLimits> = {},
): Promise<{ ingress: Ingress; port: number; app: { server: Server } & Address }> {
  const app = await startApp(listener);
  const { ingress, port } = await startIngress(limits);
  ingress.routes.set('app-1', [HOST], { kind: 'live', targets: [app] });
  return { ingress, port, app };
}

/** An address on which nothing listens. */
export async function unusedAddress(): Promise<Address> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return { host: LOOPBACK, port };
}

/** Sends raw bytes and returns everything received until the connection was closed. */
export function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, LOOPBACK, () => socket.write(bytes, 'latin1'));
    let received = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
  });
}

/** A GET request with `Connection: close`. Returns the raw response. */
export function get(port: number, path = '/', headers: Record<string, string> = {}) {
  const lines = Object.entries({ Host: HOST, ...headers, Connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return exchange(port, `GET ${path} HTTP/1.1\r\n${head}\r\n`);
}
