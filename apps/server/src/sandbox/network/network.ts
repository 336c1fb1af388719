import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  type AppNetwork,
  addressAt,
  gatewayOf,
  IPV6_GATEWAY,
  IPV6_NETWORK,
  ipv6Of,
  isAppAddress,
  networkText,
  nextAddress,
  parseNetwork,
} from './addresses.ts';
import {
  appBatch,
  deviceName,
  hostBatch,
  isDeviceGone,
  isDeviceOf,
  routesBatch,
} from './devices.ts';
import { resolveEdge } from './edge-address.ts';
import { firewallProblem } from './firewall.ts';
import { type HostCommands, hostCommands, NetworkCommandFailed } from './host-commands.ts';
import { openOwnNamespace } from './own-namespace.ts';
import { deriveResolvers, type Resolvers } from './resolvers.ts';
import { createRulesLoader } from './rules-loader.ts';
import { type BuilderAccess, type Member, tableName } from './ruleset.ts';
import { createSharedNetwork, listJson, prepareForwarding } from './shared-network.ts';

export type Attachment = { device: string; address: string; address6?: string | undefined };

/** An app or another program; with a project it reaches the other apps of it. A builder reaches no app. */
export type Program = { projectId: string | undefined } | { isBuilder: true };

/** An app that runs already. Builders end with their server. */
export type Running = Attachment & { projectId: string | undefined };

/** The network of sandboxed programs: one device, one address and a few rules for each. */
export type SandboxNetwork = {
  /** Where programs reach the edge, besides its own address. */
  gateway: string;
  /** The name servers that programs ask. */
  resolvers: Resolvers;
  /**
   * Connects the network namespace of a process in which nothing of the user runs yet. Resolves when address, routes and rules
   * are in place. When it rejects, nothing is left.
   */
  attach(pid: number, program: Program, signal: AbortSignal): Promise<Attachment>;
  /** Removes the device, if it still exists, and its rules. */
  detach(attachment: Attachment): Promise<void>;
  /** At the start: these programs run already. Every other device and rule of this installation is removed. */
  adopt(running: Running[]): Promise<void>;
  /** Restores what others removed, for example by restarting the firewall. */
  repair(): Promise<void>;
  /** A sentence for the operator if the firewall of the machine keeps programs from the internet. */
  firewallProblem(signal: AbortSignal): Promise<string | undefined>;
  /** When nothing is attached: removes the table, and what installations share unless another one is there. */
  close(): Promise<void>;
};

export type NetworkOptions = {
  /** 6 to 12 hexadecimal digits that no other installation on the machine has. */
  installation: string;
  network: string;
  allowedNetworks: string[];
  /** An address or name that the edge listens on, and its ports. */
  edge: { host: string; ports: number[] };
  builders: BuilderAccess;
  host?: HostCommands;
  readText?: (path: string) => Promise<string | undefined>;
  random?: (bytes: number) => Uint8Array;
};

const MAX_ATTEMPTS = 5;
const IPV6_SWITCH = 'ipv6/conf/all/disable_ipv6';
const never = new AbortController().signal;

export async function openNetwork(options: NetworkOptions): Promise<SandboxNetwork> {
  const { installation, host = hostCommands, random = randomBytes } = options;
  const { readText = readOptional } = options;
  if (!/^[0-9a-f]{6,12}$/.test(installation)) throw new Error('Not an installation id');
  const network = validNetwork(options.network);
  const gateway = gatewayOf(network);
  const { hasStack, hasRoute: hasIpv6 } = await prepareForwarding(host);
  const resolvers = deriveResolvers(
    {
      system: (await readText('/etc/resolv.conf')) ?? '',
      systemd: await readText('/run/systemd/resolve/resolv.conf'),
    },
    { gateway, hasIpv6 },
  );
  const shared = createSharedNetwork(host, { network, hasIpv6 });
  const members = new Map<string, Member>();
  const numberOfProject = createProjectNumbers();
  let previous = addressAt(network, Buffer.from(random(4)).readUInt32BE() / 2 ** 32);
  const rules = createRulesLoader({
    host,
    settings: {
      installation,
      network,
      // Addresses with a zone are link-local, which is never allowed.
      allowedNetworks: options.allowedNetworks.filter((allowed) => !allowed.includes('%')),
      edge: await resolveEdge(options.edge),
      resolvers,
      builders: options.builders,
    },
    members: () => [...members.values()],
  });
  return {
    gateway,
    resolvers,
    attach,
    detach,
    adopt,
    repair,
    firewallProblem: findFirewallProblem,
    close,
  };

  async function attach(pid: number, program: Program, signal: AbortSignal): Promise<Attachment> {
    const namespace = await openOwnNamespace(pid, host);
    const isBuilder = 'isBuilder' in program;
    const project = numberOfProject(isBuilder ? undefined : program.projectId);
    try {
      return await attachNamespace(namespace.path, { project, isBuilder }, signal);
    } finally {
      await namespace.close();
    }
  }

  async function attachNamespace(
    namespaceFile: string,
    program: Pick<Member, 'project' | 'isBuilder'>,
    signal: AbortSignal,
  ): Promise<Attachment> {
    const taken = new Set<string>();
    for (let attempt = 1; ; attempt += 1) {
      const attachment = choose(taken);
      members.set(attachment.device, { ...attachment, ...program });
      try {
        await connect(attachment, namespaceFile, signal);
        return attachment;
      } catch (error) {
        await detach(attachment);
        if (attempt === MAX_ATTEMPTS || signal.aborted) throw error;
        await removeCause(error, taken);
      }
    }
  }

  function choose(taken: ReadonlySet<string>): Attachment {
    const own = [...members.values()].map(({ address }) => address);
    const address = nextAddress(network, previous, new Set([...own, ...taken]));
    if (address === undefined) {
      throw new Error(`All addresses of LONGSHORE_NETWORK ${options.network} are in use`);
    }
    previous = address;
    const device = deviceName(installation, random(7));
    return { device, address, ...(hasIpv6 ? { address6: ipv6Of(address) } : {}) };
  }

  async function connect(
    attachment: Attachment,
    namespaceFile: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { device } = attachment;
    const connection = connectionOf(attachment);
    const inside = ['nsenter', `--net=${namespaceFile}`, '--'] as const;
    // A container engine may have turned IPv6 off.
    const settings = ['ipv4/ip_unprivileged_port_start', ...(hasStack ? [IPV6_SWITCH] : [])];
    const files = settings.map((setting) => `/proc/sys/net/${setting}`);
    await allOf([
      rules.load(),
      allOf([
        host.run([...inside, 'tee', ...files], { input: '0', signal }),
        host.run(['ip', '-batch', '-'], { input: hostBatch(connection, namespaceFile), signal }),
      ]).then(() =>
        allOf([
          host.run([...inside, 'ip', '-batch', '-'], { input: appBatch(connection), signal }),
          host.writeSetting(`ipv4/conf/${device}/forwarding`, '1'),
          // For an edge or resolver on a loopback address. The rules drop all other packets to 127.0.0.0/8.
          host.writeSetting(`ipv4/conf/${device}/route_localnet`, '1'),
        ]),
      ),
    ]);
  }

  function connectionOf({ device, address, address6 }: Attachment) {
    const gateways = { gateway, gateway6: IPV6_GATEWAY };
    return { device, address, address6, hasIpv6Stack: hasStack, ...gateways };
  }

  /** Another installation took the address, or was closed at this moment and removed the gateway. */
  async function removeCause(error: unknown, taken: Set<string>): Promise<void> {
    if (!(error instanceof NetworkCommandFailed)) throw error;
    for (const address of await shared.usedAddresses()) taken.add(address);
    await shared.prepare();
  }

  async function detach({ device }: Attachment): Promise<void> {
    await removeDevice(device);
    if (members.delete(device)) await rules.load();
  }

  async function removeDevice(device: string): Promise<void> {
    if (!isDeviceOf(installation, device)) throw new Error('Not a device of this installation');
    try {
      await host.run(['ip', 'link', 'delete', device], { signal: never });
    } catch (error) {
      if (!(error instanceof NetworkCommandFailed && isDeviceGone(error.output))) throw error;
    }
  }

  async function adopt(running: Running[]): Promise<void> {
    members.clear();
    for (const { device, address, address6, projectId } of running) {
      const isValid =
        isDeviceOf(installation, device) &&
        isAppAddress(network, address) &&
        (address6 === undefined || address6 === ipv6Of(address));
      const project = numberOfProject(projectId);
      const member = { device, address, address6, project, isBuilder: false };
      if (isValid) members.set(device, member);
    }
    await shared.prepare();
    rules.forget();
    await rules.load();
    // Once more, now that the table protects it: an installation that was closed meanwhile may have removed it.
    await shared.prepare();
    const links = await listJson<{ ifname: string }>(host, ['link', 'show', 'type', 'veth']);
    const left = links
      .map(({ ifname }) => ifname)
      .filter((device) => isDeviceOf(installation, device) && !members.has(device));
    await allOf(left.map(removeDevice));
  }

  async function repair(): Promise<void> {
    // Costs nothing on an idle server.
    if (members.size === 0) return;
    await shared.prepare();
    const input = routesBatch([...members.values()].map(connectionOf));
    // Fails for routes that exist, which is the usual case, and for programs that have just ended.
    await host.run(['ip', '-force', '-batch', '-'], { input, signal: never }).catch(() => {});
    if (await hasTable()) return;
    rules.forget();
    await rules.load();
  }

  /** Reads only this table: listing all of them takes ten times as long. */
  async function hasTable(): Promise<boolean> {
    const argv = ['nft', '--terse', 'list', 'table', 'inet', tableName(installation)] as const;
    return await host.run(argv, { signal: never }).then(
      () => true,
      () => false,
    );
  }

  async function findFirewallProblem(signal: AbortSignal): Promise<string | undefined> {
    const ruleset = await host.run(['nft', 'list', 'ruleset'], { signal });
    const ip6 = hasIpv6 ? IPV6_NETWORK : undefined;
    return firewallProblem(ruleset, { ip: networkText(network), ip6 });
  }

  async function close(): Promise<void> {
    if (members.size > 0) return;
    const table = `table inet ${tableName(installation)}`;
    await host.run(['nft', '-f', '-'], { input: `${table}\ndelete ${table}\n`, signal: never });
    rules.forget();
    await shared.withdraw();
  }
}

/** Numbers are never reused. A program without a project is alone in one. */
function createProjectNumbers(): (projectId: string | undefined) => number {
  const numbers = new Map<string, number>();
  let last = 0;
  return (projectId) => {
    const known = projectId === undefined ? undefined : numbers.get(projectId);
    if (known !== undefined) return known;
    last += 1;
    if (projectId !== undefined) numbers.set(projectId, last);
    return last;
  };
}

function validNetwork(text: string): AppNetwork {
  const parsed = parseNetwork(text);
  if (parsed.ok) return parsed.network;
  throw new Error(`LONGSHORE_NETWORK ${parsed.problem}`);
}

/** Waits for all, also when one fails. */
async function allOf(work: Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(work);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function readOptional(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch(() => undefined);
}
