import type { Fix } from '@longshore/contract';
import { EngineFailure, type Reason } from './failure.ts';
import { findOtherPort } from './find-other-port.ts';

const LOOPBACK = ['127.0.0.1', '[::1]'];
export type NotListening = {
  port: number;
  waitedSeconds: number;
  /** The listening sockets in the network of the app; undefined when its tables cannot be read. */
  listening: { host: string; port: number }[] | undefined;
  /** Whether connections to the app reach what listens only on 127.0.0.1. */
  isLoopbackReached: boolean;
  lines: string[];
};

/** The failure of an app with a network of its own: the expected port, and the sockets that it listens on instead. */
export function notListeningFailure({
  port,
  waitedSeconds,
  listening,
  isLoopbackReached,
  lines,
}: NotListening): EngineFailure {
  const { reason, found, fixes } = explain(port, listening, isLoopbackReached);
  const expected = `No connection on port ${port} within ${waitedSeconds} s`;
  return new EngineFailure(reason, [expected, ...found, ...lines], { fixes });
}

function explain(
  port: number,
  listening: NotListening['listening'],
  isLoopbackReached: boolean,
): { reason: Reason; found: string[]; fixes: Fix[] } {
  if (listening === undefined) return { reason: 'port-never-answered', found: [], fixes: [] };
  if (listening.length === 0) {
    const found = ['The app does not listen on any port'];
    return { reason: 'port-never-answered', found, fixes: [] };
  }
  const onPort = listening.filter((listener) => listener.port === port);
  if (onPort.length > 0) {
    const isLoopback = onPort.every(({ host }) => LOOPBACK.includes(host));
    return {
      reason: isLoopback ? 'listens-on-loopback' : 'port-never-answered',
      found: [`The app listens on ${onPort.map(({ host }) => host).join(', ')} port ${port}`],
      fixes: [],
    };
  }
  if (!isLoopbackReached && listening.every(({ host }) => LOOPBACK.includes(host))) {
    const addresses = listening.map((listener) => `${listener.host} port ${listener.port}`);
    const found = [`The app listens on ${addresses.join(', ')}`];
    return { reason: 'listens-on-loopback', found, fixes: [] };
  }
  const ports = [...new Set(listening.map((listener) => listener.port))].sort((a, b) => a - b);
  const other = findOtherPort(listening);
  return {
    reason: 'listens-elsewhere',
    fixes: other === undefined ? [] : [{ kind: 'port', port: other.port }],
    found: [
      `The app listens on port ${ports.join(', ')}, but port ${port} is configured`,
      `Change the port to ${ports.join(' or ')}, or make the app listen on port ${port}`,
    ],
  };
}
