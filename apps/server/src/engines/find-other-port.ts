export type OtherPort = { port: number; isLoopback: boolean };

/** Debuggers and the live reload of development tools. */
const NOT_FOR_VISITORS = new Set([9229, 9230, 24_678, 35_729]);
/** The usual ports of web servers, in order of precedence. */
export const USUAL_PORTS = [8080, 3000, 8000, 5000, 4000, 8501, 4173, 4321, 5173, 8888, 1337];
const LOOPBACK = ['127.0.0.1', '[::1]'];
/** A program may open several ports one after another, so what it listens on must stay the same for this time. */
const SETTLED_MS = 2_000;

/**
 * The port on which visitors probably expect the app, if it does not listen on the configured one: rather on all addresses than
 * only on 127.0.0.1, rather a usual port, rather a low one.
 */
export function findOtherPort(
  sockets: readonly { host: string; port: number }[],
): OtherPort | undefined {
  // Nothing can be forwarded to IPv6 only.
  const listening = sockets.filter(
    ({ host, port }) => !NOT_FOR_VISITORS.has(port) && host !== '[::1]',
  );
  const candidates = [...new Set(listening.map(({ port }) => port))].map((port) => ({
    port,
    isLoopback: listening
      .filter((socket) => socket.port === port)
      .every(({ host }) => LOOPBACK.includes(host)),
  }));
  const rank = ({ port, isLoopback }: OtherPort) => {
    const usual = USUAL_PORTS.indexOf(port);
    return (isLoopback ? 1_000_000 : 0) + (usual === -1 ? 1_000 + port : usual);
  };
  return candidates.sort((one, other) => rank(one) - rank(other))[0];
}

/** Whether programs of other machines reach none of these sockets, unless IPv4 connections to them are forwarded. */
export function needsForwarding(sockets: readonly { host: string }[]): boolean {
  const hosts = sockets.map(({ host }) => host);
  return hosts.every((host) => LOOPBACK.includes(host)) && hosts.some((host) => host !== '[::1]');
}

/** Returns a function for repeated calls: it finds a port once that has been the one to find for a while. */
export function createOtherPortFinder(
  now: () => number,
): (sockets: Parameters<typeof findOtherPort>[0]) => OtherPort | undefined {
  let last: { port: number; since: number } | undefined;
  return (sockets) => {
    const found = findOtherPort(sockets);
    if (found?.port !== last?.port) last = found && { port: found.port, since: now() };
    return last !== undefined && now() - last.since >= SETTLED_MS ? found : undefined;
  };
}
