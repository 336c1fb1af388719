import { randomBytes } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
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
import { coalesce } from './coalesce.ts';
import {
  appBatch,
  type Connection,
  deviceName,
  devicePrefix,
  hostBatch,
  isDeviceOf,
  machineBatch,
  withdrawalBatch,
} from './devices.ts';
import { type HostCommands, hostCommands, NetworkCommandFailed } from './host-commands.ts';
import { deriveResolvers, type Resolvers } from './resolvers.ts';
import { type Member, memberChangeText, rulesetText, tableName } from './ruleset.ts';

export type Attachment = { device: string; address: string; address6?: string | undefined };

export type Running = Attachment & { projectId: string | undefined };

/** The network of sandboxed programs: one device, one address and a few rules for each. */
export type SandboxNetwork = {
  /** The name servers that programs ask. */
  resolvers: Resolvers;
  /**
   * Connects the network namespace of a process in which nothing of the user runs yet. Resolves when address, routes and rules
   * are in place. When it rejects, nothing is left.
   */
  attach(
    pid: number,
    options: { projectId: string | undefined },
    signal: AbortSignal,
  ): Promise<Attachment>;
  /** Removes the device, if it still exists, and its rules. */
  detach(attachment: Attachment): Promise<void>;
  /** At the start: these programs run already. Every other device and rule of this installation is removed. */
  adopt(running: Running[]): Promise<void>;
  /** When nothing is attached: removes the table, and what installations share unless another one is there. */
  close(): Promise<void>;
};

export type NetworkOptions = {
  /** 6 to 12 hexadecimal digits that no other installation on the machine has. */
  installation: string;
  network: string;
  allowedNetworks: string[];
  edge: { host: string; ports: number[] };
  host?: HostCommands;
  readText?: (path: string) => Promise<string | undefined>;
  random?: (bytes: number) => Uint8Array;
};

/** Another installation may take an address at the same moment. */
const MAX_ATTEMPTS = 10;

export async function openNetwork(options: NetworkOptions): Promise<SandboxNetwork> {
  const { installation, host = hostCommands, random = randomBytes } = options;
  const { readText = readOptional } = options;
  if (!/^[0-9a-f]{6,12}$/.test(installation)) throw new Error('Not an installation id');
  const network = validNetwork(options.network);
  const gateway = gatewayOf(network);
  const never = new AbortController().signal;
  const hasIpv6 = await prepareForwarding(host);
  const resolvers = deriveResolvers(
    {
      system: (await readText('/etc/resolv.conf')) ?? '',
      systemd: await readText('/run/systemd/resolve/resolv.conf'),
    },
    { gateway, hasIpv6 },
  );
  const sharedNetworks = [networkText(network), ...(hasIpv6 ? [IPV6_NETWORK] : [])];
  const members = new Map<string, Member>();
  let previous = addressAt(network, fractionFrom(random(4)));
  const foreign = new Set<string>();
  const projects = new Map<string, number>();
  let lastProject = 0;

  /** What the kernel has. Undefined: nobody knows. */
  let loaded: Map<string, Member> | undefined;
  const loadRules = coalesce(async () => {
    const next = new Map(members);
    const isChanged = loaded !== undefined && (await changeRules(loaded, next));
    if (!isChanged) await replaceRules([...next.values()]);
    loaded = next;
  });

  async function changeRules(from: Map<string, Member>, to: Map<string, Member>): Promise<boolean> {
    const removed = [...from.values()].filter(({ device }) => !to.has(device));
    const added = [...to.values()].filter(({ device }) => !from.has(device));
    const input = memberChangeText(installation, { removed, added });
    loaded = undefined;
    return await host.run(['nft', '-f', '-'], { input, signal: never }).then(
      () => true,
      () => false,
    );
  }

  async function replaceRules(all: Member[]): Promise<void> {
    const { allowedNetworks, edge } = options;
    const settings = { installation, network, allowedNetworks, edge, resolvers };
    const input = rulesetText({ ...settings, members: all });
    await host.run(['nft', '-f', '-'], { input, signal: never });
  }

  return { resolvers, attach, detach, adopt, close };

  async function attach(
    pid: number,
    { projectId }: { projectId: string | undefined },
    signal: AbortSignal,
  ): Promise<Attachment> {
    // The open file keeps the namespace: a process that takes over the pid is never touched.
    const handle = await open(`/proc/${pid}/ns/net`);
    try {
      const own = await stat(host.namespaceFile);
      if ((await handle.stat()).ino === own.ino) {
        throw new Error(`Process ${pid} has no network namespace of its own`);
      }
      const namespaceFile = `/proc/${process.pid}/fd/${handle.fd}`;
      for (let attempt = 1; ; attempt += 1) {
        const member = { ...choose(), project: projectNumber(projectId) };
        members.set(member.device, member);
        try {
          await connect(member, namespaceFile, signal);
          const { device, address, address6 } = member;
          return { device, address, address6 };
        } catch (error) {
          await detach(member);
          if (attempt === MAX_ATTEMPTS || signal.aborted || !(await canRetry(error))) throw error;
        }
      }
    } finally {
      await handle.close();
    }
  }

  /** A program without a project is alone. */
  function projectNumber(projectId: string | undefined): number {
    const known = projectId === undefined ? undefined : projects.get(projectId);
    if (known !== undefined) return known;
    lastProject += 1;
    if (projectId !== undefined) projects.set(projectId, lastProject);
    return lastProject;
  }

  function choose(): Attachment {
    const used = new Set([...[...members.values()].map(({ address }) => address), ...foreign]);
    const address = nextAddress(network, previous, used);
    if (address === undefined) {
      throw new Error(`All addresses of LONGSHORE_NETWORK (${options.network}) are in use`);
    }
    previous = address;
    const device = deviceName(installation, random(7));
    return { device, address, address6: hasIpv6 ? ipv6Of(address) : undefined };
  }

  async function connect(
    member: Member,
    namespaceFile: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { device, address, address6 } = member;
    const connection: Connection = {
      device,
      address,
      address6,
      gateway,
      gateway6: IPV6_GATEWAY,
    };
    const inside = ['nsenter', `--net=${namespaceFile}`, '--'] as const;
    await allOf([
      loadRules(),
      // Programs may listen on ports below 1024.
      host.run([...inside, 'tee', '/proc/sys/net/ipv4/ip_unprivileged_port_start'], {
        input: '0',
        signal,
      }),
      host
        .run(['ip', '-batch', '-'], { input: hostBatch(connection, namespaceFile), signal })
        .then(() =>
          allOf([
            host.run([...inside, 'ip', '-batch', '-'], { input: appBatch(connection), signal }),
            host.writeSetting(`ipv4/conf/${device}/forwarding`, '1'),
            // Needed for an edge or resolver that listens on a loopback address. The rules drop all other packets to 127.0.0.0/8.
            host.writeSetting(`ipv4/conf/${device}/route_localnet`, '1'),
          ]),
        ),
    ]);
  }

  /** After a restart of the machine's network, or when another installation was faster. */
  async function canRetry(error: unknown): Promise<boolean> {
    if (!(error instanceof NetworkCommandFailed)) return false;
    if (/File exists/.test(error.output)) {
      for (const address of await routedAddresses()) foreign.add(address);
      return true;
    }
    if (!/Invalid argument|prefsrc|preferred source/i.test(error.output)) return false;
    await prepareMachine();
    return true;
  }

  async function routedAddresses(): Promise<string[]> {
    const argv = ['ip', '-j', 'route', 'show', 'root', networkText(network)] as const;
    const routes = JSON.parse((await host.run(argv, { signal: never })) || '[]') as {
      dst: string;
    }[];
    return routes.map(({ dst }) => dst);
  }

  async function detach({ device }: Attachment): Promise<void> {
    await removeDevice(device);
    if (members.delete(device)) await loadRules();
  }

  async function removeDevice(device: string): Promise<void> {
    if (!isDeviceOf(installation, device)) throw new Error(`Not a device of ours: ${device}`);
    try {
      await host.run(['ip', 'link', 'delete', device], { signal: never });
    } catch (error) {
      const isGone = error instanceof NetworkCommandFailed && /Cannot find/.test(error.output);
      if (!isGone) throw error;
    }
  }

  async function adopt(running: Running[]): Promise<void> {
    const valid = running.filter(
      ({ device, address, address6 }) =>
        isDeviceOf(installation, device) &&
        isAppAddress(network, address) &&
        (address6 === undefined || address6 === ipv6Of(address)),
    );
    members.clear();
    loaded = undefined;
    for (const { projectId, ...attachment } of valid) {
      members.set(attachment.device, { ...attachment, project: projectNumber(projectId) });
    }
    await prepareMachine();
    await loadRules();
    const left = (await ownDevices()).filter((device) => !members.has(device));
    await allOf(left.map(removeDevice));
  }

  async function ownDevices(): Promise<string[]> {
    const text = await host.run(['ip', '-j', 'link', 'show', 'type', 'veth'], { signal: never });
    const links = JSON.parse(text || '[]') as { ifname?: string }[];
    return links
      .map(({ ifname = '' }) => ifname)
      .filter((name) => name.startsWith(devicePrefix(installation)));
  }

  async function prepareMachine(): Promise<void> {
    await inSpiteOf(/File exists/, machineBatch(gateway, sharedNetworks));
  }

  async function close(): Promise<void> {
    if (members.size > 0) return;
    const name = tableName(installation);
    await host.run(['nft', '-f', '-'], {
      input: `table inet ${name}\ndelete table inet ${name}\n`,
      signal: never,
    });
    const tables = await host.run(['nft', 'list', 'tables'], { signal: never });
    if (/\blongshore_/.test(tables)) return;
    await inSpiteOf(/No such process|Cannot assign/, withdrawalBatch(gateway, sharedNetworks));
  }

  /** Runs all commands of a batch. The expected errors are ignored. */
  async function inSpiteOf(expected: RegExp, input: string): Promise<void> {
    try {
      await host.run(['ip', '-force', '-batch', '-'], { input, signal: never });
    } catch (error) {
      if (!(error instanceof NetworkCommandFailed)) throw error;
      const unexpected = error.output
        .split('\n')
        .filter(
          (line) => line !== '' && !line.startsWith('Command failed') && !expected.test(line),
        );
      if (unexpected.length > 0) throw error;
    }
  }
}

function validNetwork(text: string): AppNetwork {
  const parsed = parseNetwork(text);
  if (parsed.ok) return parsed.network;
  throw new Error(`LONGSHORE_NETWORK ${parsed.problem}`);
}

/** Returns whether programs get an IPv6 address: only if the machine has an IPv6 route to the internet. */
async function prepareForwarding(host: HostCommands): Promise<boolean> {
  const signal = new AbortController().signal;
  if ((await host.readSetting('ipv4/ip_forward')) === '0') {
    await host.writeSetting('ipv4/ip_forward', '1');
  }
  const forwarding = await host.readSetting('ipv6/conf/all/forwarding');
  if (forwarding === undefined) return false;
  const text = await host.run(['ip', '-6', '-j', 'route', 'show', 'default'], { signal });
  const [route] = JSON.parse(text || '[]') as { protocol?: string }[];
  if (route === undefined) return false;
  if (forwarding === '1') return true;
  // A forwarding machine ignores router advertisements and would lose this route.
  if (route.protocol === 'ra') return false;
  await host.writeSetting('ipv6/conf/all/forwarding', '1');
  return true;
}

/** Waits for all, also when one fails. */
async function allOf(work: Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(work);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

function fractionFrom(bytes: Uint8Array): number {
  return bytes.reduce((fraction, byte) => (fraction + byte) / 256, 0);
}

async function readOptional(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch(() => undefined);
}
