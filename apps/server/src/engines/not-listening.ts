import { EngineFailure, type Reason } from './failure.ts';

const LOOPBACK = ['127.0.0.1', '[::1]'];
/** 127.0.0.11 as the kernel writes it: Docker's DNS server, which listens in every container. */
const DOCKER_DNS = '0B00007F';

export type NotListening = {
  port: number;
  waitedSeconds: number;
  /** The listening sockets in the network of the app; undefined when its tables cannot be read. */
  listening: { host: string; port: number }[] | undefined;
  lines: string[];
};

/** The failure of an app with a network of its own: the expected port, and the sockets that it listens on instead. */
export function notListeningFailure({
  port,
  waitedSeconds,
  listening,
  lines,
}: NotListening): EngineFailure {
  const { reason, found } = explain(port, listening);
  const expected = `No connection on port ${port} within ${waitedSeconds} s`;
  return new EngineFailure(reason, [expected, ...found, ...lines]);
}

function explain(
  port: number,
  sockets: NotListening['listening'],
): { reason: Reason; found: string[] } {
  if (sockets === undefined) return { reason: 'port-never-answered', found: [] };
  const listening = sockets.filter(({ host }) => host !== DOCKER_DNS);
  if (listening.length === 0) {
    return { reason: 'port-never-answered', found: ['The app does not listen on any port'] };
  }
  const onPort = listening.filter((listener) => listener.port === port);
  if (onPort.length > 0) {
    const isLoopback = onPort.every(({ host }) => LOOPBACK.includes(host));
    return {
      reason: isLoopback ? 'listens-on-loopback' : 'port-never-answered',
      found: [`The app listens on ${onPort.map(({ host }) => host).join(', ')} port ${port}`],
    };
  }
  const ports = [...new Set(listening.map((listener) => listener.port))].sort((a, b) => a - b);
  return {
    reason: 'listens-elsewhere',
    found: [
      `The app listens on port ${ports.join(', ')}, but port ${port} is configured`,
      `Change the port to ${ports.join(' or ')}, or make the app listen on port ${port}`,
    ],
  };
}
