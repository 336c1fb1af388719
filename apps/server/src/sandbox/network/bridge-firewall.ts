import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { createSemaphore } from '../../concurrency/semaphore.ts';
import { parseNetwork } from './addresses.ts';
import {
  type Bridge,
  type BridgeRulesetInput,
  bridgeRulesetText,
  bridgeTableName,
} from './bridge-ruleset.ts';
import { resolveEdge } from './edge-address.ts';
import { type HostCommands, hostCommands } from './host-commands.ts';
import { isLoopback, nameserversIn } from './resolvers.ts';

/** The rules of containers on the bridges of an installation. They stay when the server exits. */
export type BridgeFirewall = {
  /** Resolves when the kernel has rules for exactly these bridges, which need not exist yet. Without bridges there is no table. */
  filter(bridges: Bridge[]): Promise<void>;
  /** Restores what others removed, and follows changes of the machine's name servers. */
  repair(): Promise<void>;
};

export type BridgeFirewallOptions = {
  /** 6 to 12 hexadecimal digits that no other installation on the machine has. */
  installation: string;
  network: string;
  allowedNetworks: string[];
  edge: { host: string; ports: number[] };
  host?: HostCommands;
  readText?: (path: string) => Promise<string | undefined>;
};

const never = new AbortController().signal;
/** Where Docker finds the name servers that it asks from the network of a container. */
const RESOLVER_FILES = ['/etc/resolv.conf', '/run/systemd/resolve/resolv.conf'];
const DAEMON_FILE = '/etc/docker/daemon.json';

export function createBridgeFirewall(options: BridgeFirewallOptions): BridgeFirewall {
  const { installation, host = hostCommands, readText = readOptional } = options;
  const mutex = createSemaphore(1);
  const table = bridgeTableName(installation);
  const settings = readSettings(options);
  let filtered: Bridge[] | undefined;
  let loaded: string | undefined;

  async function load(bridges: Bridge[]): Promise<void> {
    const text = bridges.length === 0 ? withoutTable(table) : await rulesOf(bridges);
    if (text !== loaded || (bridges.length > 0 && !(await hasTable()))) {
      loaded = undefined;
      await host.run(['nft', '-f', '-'], { input: text, signal: never });
      loaded = text;
    }
    if ((await settings).edge.host.startsWith('127.')) {
      await Promise.all(bridges.map(({ device }) => routeToLoopback(device)));
    }
  }

  async function rulesOf(bridges: Bridge[]): Promise<string> {
    const files = await Promise.all([...RESOLVER_FILES, DAEMON_FILE].map(readText));
    const daemon = files.pop();
    const nameservers = files.flatMap((text = '') => nameserversIn(text));
    // Docker asks loopback addresses from the machine's network.
    const all = [...nameservers, ...daemonNameservers(daemon)].filter((it) => !isLoopback(it));
    const input = { ...(await settings), nameservers: [...new Set(all)], bridges };
    return bridgeRulesetText(input);
  }

  /** For an edge on a loopback address. The rules drop all other packets to 127.0.0.0/8. */
  async function routeToLoopback(device: string): Promise<void> {
    const setting = `ipv4/conf/${device}/route_localnet`;
    // Undefined: Docker creates the bridge later.
    if ((await host.readSetting(setting)) === '0') await host.writeSetting(setting, '1');
  }

  async function hasTable(): Promise<boolean> {
    return await host
      .run(['nft', '--terse', 'list', 'table', 'inet', table], { signal: never })
      .then(
        () => true,
        () => false,
      );
  }

  return {
    filter: (bridges) =>
      mutex.run(async () => {
        filtered = bridges.map(checked);
        await load(filtered);
      }),
    repair: () =>
      mutex.run(async () => {
        if (filtered !== undefined && filtered.length > 0) await load(filtered);
      }),
  };
}

async function readSettings(
  options: BridgeFirewallOptions,
): Promise<Omit<BridgeRulesetInput, 'nameservers' | 'bridges'>> {
  const { installation } = options;
  const parsed = parseNetwork(options.network);
  if (!parsed.ok) throw new Error(`LONGSHORE_NETWORK ${parsed.problem}`);
  return {
    installation,
    network: parsed.network,
    allowedNetworks: options.allowedNetworks.filter((allowed) => !allowed.includes('%')),
    edge: await resolveEdge(options.edge),
  };
}

function withoutTable(name: string): string {
  return `table inet ${name}\ndelete table inet ${name}\n`;
}

/** They come from Docker, and become text of rules. */
function checked(bridge: Bridge): Bridge {
  const isValid =
    /^[\w.-]{1,15}$/.test(bridge.device) &&
    bridge.networks.every(({ subnet, gateway }) => isSubnet(subnet) && isIP(gateway) !== 0);
  if (!isValid) throw new Error(`Not a bridge: ${JSON.stringify(bridge)}`);
  return bridge;
}

function isSubnet(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  return isIP(address) !== 0 && /^\d{1,3}$/.test(bits) && rest.length === 0;
}

/** Name servers that the operator gave the Docker Engine. */
function daemonNameservers(text: string | undefined): string[] {
  try {
    const { dns } = JSON.parse(text ?? '{}') as { dns?: unknown };
    return Array.isArray(dns) ? dns.filter((it) => typeof it === 'string' && isIP(it) !== 0) : [];
  } catch {
    return [];
  }
}

async function readOptional(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch(() => undefined);
}
