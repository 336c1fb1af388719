import type { RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { type EdgePolicy, type EdgeSettings, systemClock } from '@longshore/edge-contract';
import { onTestFinished } from 'vitest';
import { createPolicies } from '../src/policy/create-policies.ts';
import { createProxy, type EdgeProxy } from '../src/proxy/proxy.ts';
import { type CertificateStore, createCertificateStore } from '../src/tls/certificate-store.ts';
import { createEntrance, type Entrance, type EntranceDeps } from '../src/tls/entrance.ts';
import { CONTEXT_OPTIONS } from '../src/tls/tls-server.ts';
import { createCertificate } from './certificates.ts';
import { startApp } from './ingress-fixture.ts';

export const SECURE_HOST = 'shop.test';
const LOOPBACK = '127.0.0.1';
export const CERTIFICATE = createCertificate([SECURE_HOST, '*.apps.test']);

export type Ports = { http: number; https: number };
export type TestEntrance = {
  entrance: Entrance;
  proxy: EdgeProxy;
  certificates: CertificateStore;
  ports: Ports;
};

export const SETTINGS: EdgeSettings = {
  trustedProxies: [],
  appNetworks: [],
  proxyProtocol: false,
  publicHttpsPort: 443,
};

export type EntranceOptions = Pick<Partial<EntranceDeps>, 'limits'> & {
  settings?: Partial<EdgeSettings>;
  policy?: EdgePolicy;
  ticketKeys?: Buffer;
};

/** The connections of a worker, with one live app behind hosts of `CERTIFICATE`. */
export async function startEntrance(
  listener: RequestListener,
  { settings, policy, limits = {}, ticketKeys = Buffer.alloc(48, 1) }: EntranceOptions = {},
): Promise<TestEntrance> {
  const app = await startApp(listener);
  const { decide } = createPolicies({ clock: systemClock });
  const proxy = createProxy({ clock: systemClock, onWake: () => {}, decide });
  const certificates = createCertificateStore({
    contextOptions: CONTEXT_OPTIONS,
    onInvalidCertificate(_certificate, error) {
      throw error;
    },
  });
  const entrance = createEntrance({ proxy, certificates, limits, clock: systemClock });
  entrance.setTicketKeys(ticketKeys);
  const change = { settings: { ...SETTINGS, ...settings } };
  const target = { host: app.host, port: app.port, state: 'ready' as const };
  const state = { kind: 'live' as const, targets: [target] };
  proxy.apply({
    ...change,
    routes: [{ appId: 'app-1', hosts: [SECURE_HOST, 'a.apps.test'], state, policy }],
  });
  entrance.apply(change);
  certificates.apply({ certificates: [CERTIFICATE] });
  onTestFinished(() => {
    proxy.beginStop();
    proxy.stop();
  });
  const http = await listen((socket) => entrance.accept(socket, 'http'));
  const https = await listen((socket) => entrance.accept(socket, 'https'));
  return { entrance, proxy, certificates, ports: { http, https } };
}

async function listen(accept: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    accept(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** A TLS connection that trusts the test's certificate. */
export function connectSecurely(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...{ host: LOOPBACK, port, servername: SECURE_HOST, ca: CERTIFICATE.chain },
      ...options,
    });
    socket.once('error', reject);
    socket.once('secureConnect', () => resolve(socket.off('error', reject).on('error', () => {})));
    onTestFinished(() => void socket.destroy());
  });
}

/** Sends the bytes and returns all that was received until the connection was closed. */
export function exchangeSecurely(socket: TLSSocket, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
    });
    socket.on('close', () => resolve(received));
    socket.write(bytes, 'latin1');
  });
}
