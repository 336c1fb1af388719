import { connect } from 'node:net';
import type { Address } from '../engine.ts';
import { USUAL_PORTS } from '../find-other-port.ts';

/**
 * The ports on which an app is looked for if it does not listen on its own: the sockets of a pod are visible on its node only, and
 * running a program in the pod would take the right to do so in every pod. Other ports, and 127.0.0.1, cannot be found.
 */
export const COMMON_PORTS = [
  ...USUAL_PORTS,
  ...[80, 81, 1234, 1313, 2368, 3001, 3002, 3003, 3030, 3333, 4200, 4444, 4567, 5001, 5050, 5555],
  ...[5601, 5678, 6006, 7000, 7001, 7777, 7860, 8001, 8008, 8065, 8069, 8081, 8082, 8083, 8090],
  ...[8096, 8123, 8181, 8443, 8787, 9000, 9001, 9080, 9090, 9292, 9999, 10_000, 19_999],
];

const CONNECT_MS = 500;

/** Which of these ports accept connections. */
export async function openPorts(
  host: string,
  ports: readonly number[] = COMMON_PORTS,
  connectMs = CONNECT_MS,
): Promise<number[]> {
  const tried = await Promise.all(
    ports.map(async (port) => ((await acceptsConnection({ host, port }, connectMs)) ? [port] : [])),
  );
  return tried.flat();
}

function acceptsConnection({ host, port }: Address, timeout: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout });
    const settle = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => settle(true));
    socket.once('timeout', () => settle(false));
    socket.once('error', () => settle(false));
  });
}
