import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Bridge } from '../../src/sandbox/network/bridge-ruleset.ts';
import { type HostCommands, hostCommands } from '../../src/sandbox/network/host-commands.ts';
import {
  type NetworkOptions,
  openNetwork,
  type SandboxNetwork,
} from '../../src/sandbox/network/network.ts';
import type { AgentCommand } from './namespace-agent.ts';

const AGENT = join(import.meta.dirname, 'namespace-agent.ts');
const never = new AbortController().signal;
/** Long, because the machine may be busy. */
const ANSWER_MS = 10_000;
const DROP_MS = 700;

/** A process in a network namespace of its own. The namespace ends with it. */
export type Namespace = {
  pid: number;
  /** Runs a program in the namespace and returns its output. */
  run(argv: readonly [string, ...string[]], input?: string): Promise<string>;
  listen(host: string, port: number, answer: string): Promise<void>;
  /** The answer to a TCP connection, or an error code. */
  connect(host: string, port: number): Promise<string>;
  /** Whether a TCP connection gets neither an answer nor an error for a short time. */
  isDropped(host: string, port: number, from?: string): Promise<boolean>;
  /** The same for a datagram. */
  send(host: string, port: number): Promise<string>;
  /** Sends a datagram without waiting for an answer. */
  post(host: string, port: number, from: string): Promise<string>;
  /** The addresses that datagrams came from. */
  senders(): Promise<string[]>;
  /** Sends datagrams to many ports. */
  flood(host: string, ports: number): Promise<string>;
  /** Answers each TCP connection with what it receives. */
  echo(host: string, port: number): Promise<string>;
  /** Opens a TCP connection that stays open for `say`. */
  open(host: string, port: number): Promise<string>;
  /** The answer on the open connection. */
  say(text: string): Promise<string>;
  stop(): Promise<void>;
};

export function createNamespace(): Promise<Namespace> {
  return startAgent(['unshare', '--net']);
}

/** A process in the network namespace of another one, such as a container. */
export function enterNamespace(pid: number): Promise<Namespace> {
  return startAgent(['nsenter', `--net=/proc/${pid}/ns/net`]);
}

async function startAgent([program, ...args]: [string, ...string[]]): Promise<Namespace> {
  const agent: ChildProcess = spawn(program, [...args, '--', process.execPath, AGENT], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const waiting = new Map<number, (result: string) => void>();
  agent.on('message', ({ id, result }: { id: number; result: string }) =>
    waiting.get(id)?.(result),
  );
  let last = 0;
  const ready = new Promise((resolve) => waiting.set(0, resolve));
  const perform = (command: AgentCommand) => {
    last += 1;
    const id = last;
    return new Promise<string>((resolve) => {
      waiting.set(id, resolve);
      agent.send({ id, command });
    });
  };
  await ready;
  const { pid = 0 } = agent;
  return {
    pid,
    run: (argv, input) =>
      hostCommandsOf(pid).run(argv, { signal: never, ...(input === undefined ? {} : { input }) }),
    async listen(host, port, answer) {
      const result = await perform({ kind: 'listen', host, port, answer });
      if (result !== 'listening') throw new Error(`Cannot listen on ${host} ${port}: ${result}`);
    },
    connect: (host, port) => perform({ kind: 'connect', host, port, timeoutMs: ANSWER_MS }),
    isDropped: async (host, port, from) =>
      (await perform({ kind: 'connect', host, port, from, timeoutMs: DROP_MS })) === 'timeout',
    send: (host, port) => perform({ kind: 'send', host, port }),
    post: (host, port, from) => perform({ kind: 'post', host, port, from }),
    senders: async () => (await perform({ kind: 'senders' })).split(' '),
    flood: (host, ports) => perform({ kind: 'flood', host, ports }),
    echo: (host, port) => perform({ kind: 'echo', host, port }),
    open: (host, port) => perform({ kind: 'open', host, port }),
    say: (text) => perform({ kind: 'say', text }),
    async stop() {
      if (agent.exitCode !== null || agent.signalCode !== null) return;
      agent.kill('SIGKILL');
      await once(agent, 'exit');
    },
  };
}

/** The commands of a machine whose network is the namespace of a process. */
export function hostCommandsOf(pid: number): HostCommands {
  const namespaceFile = `/proc/${pid}/ns/net`;
  const enter = ['nsenter', `--net=${namespaceFile}`, '--'] as const;
  const run: HostCommands['run'] = (argv, options) =>
    hostCommands.run([...enter, ...argv], options);
  return {
    run,
    namespaceFile,
    readSetting: (name) =>
      run(['cat', `/proc/sys/net/${name}`], { signal: never }).catch(() => undefined),
    async writeSetting(name, value) {
      await run(['tee', `/proc/sys/net/${name}`], { input: value, signal: never });
    },
  };
}

/** The address of the host for its programs. */
export const GATEWAY = '10.213.0.1';
export const MACHINE = '198.51.100.2';
export const PUBLIC = '203.0.113.80';
export const RESOLVER = '10.255.255.53';
export const METADATA = '169.254.169.254';
export const LAN = '192.168.50.5';
export const OTHER_LAN = '172.20.0.5';
export const MACHINE_6 = '2001:db9::2';
export const PUBLIC_6 = '2606:db8::80';
export const METADATA_6 = 'fd00:ec2::254';
export const LAN_6 = 'fd77::5';

/** A machine with an uplink to an internet that has all these addresses, and with IPv6 if asked for. */
export async function createMachine({ hasIpv6 }: { hasIpv6: boolean }): Promise<{
  machine: Namespace;
  internet: Namespace;
}> {
  const [machine, internet] = await Promise.all([createNamespace(), createNamespace()]);
  await machine.run(
    ['ip', '-batch', '-'],
    [
      'link set lo up',
      `link add wan type veth peer name wan netns /proc/${internet.pid}/ns/net`,
      'link set wan addrgenmode none',
      'link set wan up',
      `address add ${MACHINE}/24 dev wan`,
      ...(hasIpv6 ? [`address add ${MACHINE_6}/64 dev wan nodad`] : []),
      '',
    ].join('\n'),
  );
  await internet.run(
    ['ip', '-batch', '-'],
    [
      'link set lo up',
      'link set wan up',
      'address add 198.51.100.1/24 dev wan',
      'address add 2001:db9::1/64 dev wan nodad',
      ...[PUBLIC, RESOLVER, METADATA, LAN, OTHER_LAN].map((it) => `address add ${it}/32 dev lo`),
      ...[PUBLIC_6, METADATA_6, LAN_6].map((it) => `address add ${it}/128 dev lo nodad`),
      // To reach programs without masquerading, as a neighbour could.
      `route add 10.213.0.0/16 via ${MACHINE}`,
      '',
    ].join('\n'),
  );
  await machine.run(
    ['ip', '-batch', '-'],
    [
      'route add default via 198.51.100.1',
      ...(hasIpv6 ? ['route add ::/0 via 2001:db9::1 proto static'] : []),
      '',
    ].join('\n'),
  );
  return { machine, internet };
}

/** A namespace that is connected to a bridge of the machine as Docker does it. The first one creates the bridge. */
export async function createContainer(
  machine: Namespace,
  { device, networks }: Bridge,
  addresses: string[],
): Promise<Namespace> {
  const container = await createNamespace();
  const bits = (address: string) =>
    networks
      .find(({ subnet }) => subnet.includes(':') === address.includes(':'))
      ?.subnet.split('/')[1];
  const links = await machine.run(['ip', '-brief', 'link']);
  if (!links.includes(device)) await createBridge(machine, { device, networks });
  const port = `veth${container.pid}`;
  await machine.run(
    ['ip', '-batch', '-'],
    [
      `link add ${port} type veth peer name eth0 netns /proc/${container.pid}/ns/net`,
      `link set ${port} master ${device} up`,
      '',
    ].join('\n'),
  );
  await container.run(
    ['ip', '-batch', '-'],
    [
      'link set lo up',
      'link set eth0 up',
      ...addresses.map(
        (it) => `address add ${it}/${bits(it)} dev eth0${it.includes(':') ? ' nodad' : ''}`,
      ),
      ...networks.map(({ subnet, gateway }) =>
        subnet.includes(':') ? `route add ::/0 via ${gateway}` : `route add default via ${gateway}`,
      ),
      '',
    ].join('\n'),
  );
  return container;
}

async function createBridge(machine: Namespace, { device, networks }: Bridge): Promise<void> {
  await machine.run(
    ['ip', '-batch', '-'],
    [
      `link add ${device} type bridge`,
      `link set ${device} up`,
      ...networks.map(({ subnet, gateway }) => {
        const nodad = subnet.includes(':') ? ' nodad' : '';
        return `address add ${gateway}/${subnet.split('/')[1]} dev ${device}${nodad}`;
      }),
      '',
    ].join('\n'),
  );
  const masked = networks.map(({ subnet }) => {
    const family = subnet.includes(':') ? 'ip6' : 'ip';
    return `${family} saddr ${subnet} oifname != "${device}" masquerade;`;
  });
  await machine.run(
    ['nft', '-f', '-'],
    `table inet ${device}-nat { chain masked { type nat hook postrouting priority srcnat; ${masked.join(' ')} }; }`,
  );
  for (const setting of ['ipv4/ip_forward', 'ipv6/conf/all/forwarding']) {
    await machine.run(['tee', `/proc/sys/net/${setting}`], '1');
  }
}

/** The network of an installation on a machine of a test. Its resolver is RESOLVER. */
export function openNetworkOn(
  machine: Namespace,
  options: Partial<NetworkOptions> = {},
): Promise<SandboxNetwork> {
  return openNetwork({
    installation: 'abc123',
    network: '10.213.0.0/16',
    allowedNetworks: [],
    edge: { host: '127.0.0.1', ports: [8080] },
    builders: { reachesPrivateNetworks: false, forwardedPorts: [], registries: [] },
    host: hostCommandsOf(machine.pid),
    readText: async (path) => (path === '/etc/resolv.conf' ? `nameserver ${RESOLVER}` : undefined),
    ...options,
  });
}

/** Everything that attaching could leave behind. */
export async function snapshotOf(machine: Namespace): Promise<Record<string, string[]>> {
  const list = async (...argv: [string, ...string[]]) =>
    (await machine.run(argv))
      .split('\n')
      .map((line) => line.trim())
      .sort();
  return {
    devices: await list('ip', '-brief', 'link'),
    addresses: await list('ip', '-brief', 'address'),
    routes: await list('ip', 'route', 'show', 'table', 'all'),
    routes6: await list('ip', '-6', 'route', 'show', 'table', 'all'),
    neighbours: await list('ip', 'neighbour', 'show', 'nud', 'permanent'),
    // Without the connections that are counted at the moment.
    rules: (await list('nft', 'list', 'ruleset')).filter(
      (line) => !/^elements .* ct count/.test(line),
    ),
  };
}
