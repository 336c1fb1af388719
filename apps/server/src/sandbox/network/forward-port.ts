import { type HostCommands, hostCommands } from './host-commands.ts';
import { openOwnNamespace } from './own-namespace.ts';

/** Where connections to `port` go instead. */
export type PortForward = {
  port: number;
  to: number;
  /** The program listens only on 127.0.0.1. */
  isLoopback: boolean;
};

/**
 * Makes a program reachable that listens only on 127.0.0.1, or on another port: inside its network namespace, connections to its
 * address go there. Running it again replaces the rule. Everything disappears with the namespace.
 */
export async function forwardPort(
  pid: number,
  forward: PortForward,
  signal: AbortSignal,
  host: HostCommands = hostCommands,
): Promise<void> {
  if (![forward.port, forward.to].every(isPort)) throw new Error('Not a port');
  const namespace = await openOwnNamespace(pid, host);
  try {
    const inside = ['nsenter', `--net=${namespace.path}`, '--'] as const;
    // First the rules: they also keep packets away whose destination was 127.0.0.0/8 from the start.
    await host.run([...inside, 'nft', '-f', '-'], { input: forwardingRules(forward), signal });
    if (!forward.isLoopback) return;
    const setting = '/proc/sys/net/ipv4/conf/eth0/route_localnet';
    await host.run([...inside, 'tee', setting], { input: '1', signal });
  } finally {
    await namespace.close();
  }
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535;
}

function forwardingRules({ port, to, isLoopback }: PortForward): string {
  const target = isLoopback ? `dnat to 127.0.0.1:${to}` : `redirect to :${to}`;
  return `table ip loopback
delete table ip loopback
table ip loopback {
  chain direct {
    type filter hook prerouting priority raw; policy accept;
    iifname "eth0" ip daddr 127.0.0.0/8 drop
  }
  chain forwarded {
    type nat hook prerouting priority dstnat; policy accept;
    iifname "eth0" tcp dport ${port} ${target}
  }
}
`;
}
