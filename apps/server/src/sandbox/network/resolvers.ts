import { isIP, isIPv4 } from 'node:net';

/** The name servers of sandboxed programs. */
export type Resolvers = {
  nameservers: string[];
  /** A resolver on a loopback address of the host. Programs reach it at the gateway address. */
  forwardTo: string | undefined;
};

export type ResolverFiles = {
  /** /etc/resolv.conf */
  system: string;
  /** /run/systemd/resolve/resolv.conf: the servers behind the stub of systemd-resolved. */
  systemd: string | undefined;
};

/** More are ignored by the C library. */
const MAX_NAMESERVERS = 3;
const SYSTEMD_STUBS = ['127.0.0.53', '127.0.0.54'];

export function deriveResolvers(
  files: ResolverFiles,
  { gateway, hasIpv6 }: { gateway: string; hasIpv6: boolean },
): Resolvers {
  const listed = nameserversIn(files.system);
  const upstreams = files.systemd === undefined ? [] : nameserversIn(files.systemd);
  const servers = listed.flatMap((server) =>
    SYSTEMD_STUBS.includes(server) && upstreams.length > 0 ? upstreams : [server],
  );
  // Without any name server, the C library asks 127.0.0.1.
  const usable = servers.filter((server) => isIPv4(server) || isLoopback(server) || hasIpv6);
  const asked = usable.length > 0 ? usable : ['127.0.0.1'];
  const nameservers = asked.map((server) => (isLoopback(server) ? gateway : server));
  const local = asked.find(isLoopback);
  return {
    nameservers: [...new Set(nameservers)].slice(0, MAX_NAMESERVERS),
    forwardTo: local?.startsWith('127.') === false ? '127.0.0.1' : local,
  };
}

export function resolvConf({ nameservers }: Pick<Resolvers, 'nameservers'>): string {
  return nameservers.map((server) => `nameserver ${server}\n`).join('');
}

/** Link-local servers are left out: their interface does not exist for programs. */
export function nameserversIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => /^\s*nameserver\s+(\S+)/.exec(line)?.[1] ?? '')
    .filter((server) => isIP(server) !== 0 && !/^fe[89ab]/i.test(server));
}

export function isLoopback(server: string): boolean {
  return server.startsWith('127.') || server === '::1' || server === '0.0.0.0' || server === '::';
}
