import { type HostCommands, hostCommands } from './host-commands.ts';
import { openOwnNamespace } from './own-namespace.ts';

/**
 * Makes a program reachable that listens only on 127.0.0.1: inside its network namespace, connections to its address go to
 * 127.0.0.1. Running it again replaces the port. Everything disappears with the namespace.
 */
export async function forwardToLoopback(
  pid: number,
  port: number,
  signal: AbortSignal,
  host: HostCommands = hostCommands,
): Promise<void> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error('Not a port');
  const namespace = await openOwnNamespace(pid, host);
  try {
    const inside = ['nsenter', `--net=${namespace.path}`, '--'] as const;
    // First the rules: they also keep packets away whose destination was 127.0.0.0/8 from the start.
    await host.run([...inside, 'nft', '-f', '-'], { input: loopbackRules(port), signal });
    const setting = '/proc/sys/net/ipv4/conf/eth0/route_localnet';
    await host.run([...inside, 'tee', setting], { input: '1', signal });
  } finally {
    await namespace.close();
  }
}

function loopbackRules(port: number): string {
  return `table ip loopback
delete table ip loopback
table ip loopback {
  chain direct {
    type filter hook prerouting priority raw; policy accept;
    iifname "eth0" ip daddr 127.0.0.0/8 drop
  }
  chain forwarded {
    type nat hook prerouting priority dstnat; policy accept;
    iifname "eth0" tcp dport ${port} dnat to 127.0.0.1
  }
}
`;
}
