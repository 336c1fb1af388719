import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  createContainer,
  createMachine,
  createNamespace,
  hostCommandsOf,
  LAN,
  LAN_6,
  MACHINE,
  MACHINE_6,
  METADATA,
  METADATA_6,
  type Namespace,
  OTHER_LAN,
  openNetworkOn,
  PUBLIC,
  PUBLIC_6,
  RESOLVER,
} from '../../../test/sandbox/network-machine.ts';
import {
  type BridgeFirewall,
  type BridgeFirewallOptions,
  createBridgeFirewall,
} from './bridge-firewall.ts';
import type { Bridge } from './bridge-ruleset.ts';

const never = new AbortController().signal;
const TABLE = 'longshore_abc123_bridges';
const REFUSED = 'ECONNREFUSED';
const SHOP: Bridge = {
  device: 'br-0123456789ab',
  networks: [
    { subnet: '172.18.0.0/16', gateway: '172.18.0.1' },
    { subnet: 'fd12::/64', gateway: 'fd12::1' },
  ],
};
const BLOG: Bridge = {
  device: 'br-ba9876543210',
  networks: [{ subnet: '10.212.0.64/26', gateway: '10.212.0.65' }],
};
/** A network of somebody else on the same Docker Engine. */
const FOREIGN: Bridge = {
  device: 'docker0',
  networks: [{ subnet: '172.17.0.0/16', gateway: '172.17.0.1' }],
};
const APP = '172.18.0.2';
const APP_6 = 'fd12::2';
const SIBLING = '172.18.0.3';
const OTHER = '10.212.0.66';
const FOREIGNER = '172.17.0.2';

/** Namespaces of root are needed; other users skip these tests. */
describe.runIf(process.getuid?.() === 0)('containers on the bridges of an installation', () => {
  const started: Namespace[] = [];
  let machine: Namespace;
  let internet: Namespace;
  let app: Namespace;
  let sibling: Namespace;
  let other: Namespace;
  let foreigner: Namespace;

  beforeAll(async () => {
    ({ machine, internet } = await createMachine({ hasIpv6: true }));
    started.push(machine, internet);
    app = await create(SHOP, APP, APP_6);
    sibling = await create(SHOP, SIBLING, 'fd12::3');
    other = await create(BLOG, OTHER);
    foreigner = await create(FOREIGN, FOREIGNER);
    await Promise.all([
      internet.listen('::', 80, 'internet'),
      internet.listen(RESOLVER, 53, 'resolver'),
      machine.listen('::', 5432, 'database'),
      machine.listen('127.0.0.1', 8080, 'edge'),
      machine.listen('::1', 9001, 'loopback'),
    ]);
  });
  afterEach(async () => {
    await open().filter([]);
  });
  afterAll(async () => {
    await Promise.all(started.map((namespace) => namespace.stop()));
  });

  async function create(bridge: Bridge, ...addresses: string[]): Promise<Namespace> {
    const container = await createContainer(machine, bridge, addresses);
    started.push(container);
    await container.listen('::', 80, 'container');
    return container;
  }

  /** Loads rules of somebody else until the test ends. */
  async function loadTable(name: string, chains: string): Promise<void> {
    await machine.run(['nft', '-f', '-'], `table ip ${name} { ${chains} }`);
    onTestFinished(async () => {
      await machine.run(['nft', 'delete', 'table', 'ip', name]);
    });
  }

  function open(changes: Partial<BridgeFirewallOptions> = {}): BridgeFirewall {
    return createBridgeFirewall({
      installation: 'abc123',
      network: '10.213.0.0/16',
      allowedNetworks: [],
      edge: { host: '127.0.0.1', ports: [8080] },
      host: hostCommandsOf(machine.pid),
      readText: async (path) =>
        path === '/etc/resolv.conf' ? `nameserver ${RESOLVER}\nnameserver 127.0.0.53` : undefined,
      ...changes,
    });
  }

  async function answers(from: Namespace, targets: (readonly [host: string, port: number])[]) {
    const found = [];
    for (const [host, port] of targets) found.push([host, port, await from.connect(host, port)]);
    return found;
  }

  it.each(['0', '1'])('reach what they may, with bridge-nf-call %s', async (isPassed) => {
    for (const name of ['iptables', 'ip6tables']) {
      await machine.run(['tee', `/proc/sys/net/bridge/bridge-nf-call-${name}`], isPassed);
    }
    await loadTable(
      'published',
      `chain incoming { type nat hook prerouting priority dstnat;
        fib daddr type local tcp dport 9000 dnat to ${FOREIGNER}:80;
        ip daddr ${PUBLIC} tcp dport 9002 dnat to ${MACHINE}:5432; };`,
    );
    expect(await app.connect(FOREIGNER, 80)).toMatch(/^container/);
    await open().filter([SHOP, BLOG]);
    const reached = [
      [SIBLING, 80, `container ::ffff:${APP}`],
      ['fd12::3', 80, `container ${APP_6}`],
      [PUBLIC, 80, `internet ::ffff:${MACHINE}`],
      [PUBLIC_6, 80, `internet ${MACHINE_6}`],
      ['172.18.0.1', 8080, `edge ${APP}`],
    ] as const;
    expect(
      await answers(
        app,
        reached.map(([host, port]) => [host, port] as const),
      ),
    ).toEqual(reached);
    expect(await app.send(RESOLVER, 53)).toBe(`resolver ${MACHINE}`);
    expect(await app.send(SIBLING, 80)).toBe(`container ::ffff:${APP}`);
    const refused = [
      // Ports of the machine, at each of its addresses.
      ['172.18.0.1', 5432],
      ['10.212.0.65', 5432],
      [MACHINE, 5432],
      [MACHINE_6, 5432],
      ['fd12::1', 5432],
      ['172.17.0.1', 9000],
      [MACHINE, 9000],
      [MACHINE, 8080],
      // Other containers, private networks and metadata.
      [OTHER, 80],
      [FOREIGNER, 80],
      ['10.213.0.7', 80],
      [LAN, 80],
      [LAN_6, 80],
      [OTHER_LAN, 80],
      [METADATA, 80],
      [METADATA_6, 80],
      ['64:ff9b::ac14:5', 80],
    ] as const;
    expect(await answers(app, [...refused])).toEqual(refused.map((it) => [...it, REFUSED]));
    expect(await app.send(METADATA, 80)).toBe('EHOSTUNREACH');
    // By a transparent proxy.
    const isDropped = await app.isDropped(PUBLIC, 9002);
    expect(isDropped || (await app.connect(PUBLIC, 9002)) === REFUSED).toBe(true);
    // The machine reaches its containers, and others are not affected.
    expect(await machine.connect(APP, 80)).toMatch(/^container/);
    expect(await foreigner.connect('172.17.0.1', 5432)).toMatch(/^database/);
    expect(await foreigner.connect(LAN, 80)).toMatch(/^internet/);
    // From outside, and from another network, packets disappear.
    expect(await foreigner.isDropped(APP, 80)).toBe(true);
    await internet.run(['ip', 'route', 'replace', '172.18.0.0/16', 'via', MACHINE]);
    expect(await internet.isDropped(APP, 80)).toBe(true);
  });

  it('reach allowed networks, but never other projects', async () => {
    const allowedNetworks = ['192.168.50.0/24', '10.0.0.0/8', '172.16.0.0/12', 'fd00::/8'];
    await open({ allowedNetworks }).filter([SHOP, BLOG]);
    expect(await app.connect(LAN, 80)).toMatch(/^internet/);
    expect(await app.connect(LAN_6, 80)).toMatch(/^internet/);
    expect(await app.connect(OTHER, 80)).toBe(REFUSED);
    expect(await other.connect(APP, 80)).toBe(REFUSED);
    expect(await app.connect(METADATA, 80)).toBe(REFUSED);
    expect(await app.connect(METADATA_6, 80)).toBe(REFUSED);
  });

  it('cannot send from an address that is not of their network', async () => {
    await open().filter([SHOP, BLOG]);
    await app.run(['ip', 'address', 'add', '10.212.0.70/32', 'dev', 'eth0']);
    expect(await app.post(RESOLVER, 53, '10.212.0.70')).toBe('sent');
    expect(await app.send(RESOLVER, 53)).toBe(`resolver ${MACHINE}`);
    expect(await internet.senders()).toEqual([MACHINE]);
  });

  it('cannot reach the loopback addresses of the machine', async () => {
    await open().filter([SHOP]);
    const address = '172.18.0.9';
    const hostile = await create(SHOP, address, 'fd12::9');
    await hostile.run(['ip', 'route', 'delete', 'local', '127.0.0.0/8', 'table', 'local']);
    await hostile.run(['ip', 'route', 'add', '127.0.0.2', 'via', '172.18.0.1', 'dev', 'eth0']);
    await hostile.run(['tee', '/proc/sys/net/ipv4/conf/eth0/route_localnet'], '1');
    expect(await hostile.isDropped('127.0.0.2', 5432, address)).toBe(true);
  });

  it('cannot fill the connection table of the machine', async () => {
    await open().filter([SHOP]);
    expect(await app.flood(PUBLIC, 2_500)).toBe('sent');
    expect(await app.connect(PUBLIC, 80)).toBe(REFUSED);
    expect(await app.connect(SIBLING, 80)).toMatch(/^container/);
    expect(await sibling.connect(PUBLIC, 80)).toMatch(/^internet/);
  });

  it('reach an edge on all addresses', async () => {
    await machine.listen('::', 8081, 'edge');
    await open({ edge: { host: '0.0.0.0', ports: [8081] } }).filter([SHOP]);
    for (const host of ['172.18.0.1', MACHINE]) {
      expect(await app.connect(host, 8081)).toBe(`edge ::ffff:${APP}`);
    }
    expect(await app.connect(MACHINE_6, 8081)).toBe(REFUSED);
  });

  it('keep connections that were open before the rules existed', async () => {
    await internet.echo('0.0.0.0', 7);
    expect(await app.open(PUBLIC, 7)).toBe('open');
    expect(await app.say('before')).toBe('before');
    await open().filter([SHOP]);
    expect(await app.say('after')).toBe('after');
  });

  it('are not reached by programs of the sandbox, nor reach them', async () => {
    const network = await openNetworkOn(machine, {
      allowedNetworks: ['172.16.0.0/12'],
      builders: { reachesPrivateNetworks: true, forwardedPorts: [], registries: [] },
    });
    await network.adopt([]);
    const builder = await createNamespace();
    started.push(builder);
    await builder.listen('::', 80, 'builder');
    const { address } = await network.attach(builder.pid, { isBuilder: true }, never);
    expect(await builder.connect(APP, 80)).toMatch(/^container/);
    await open({ allowedNetworks: ['10.0.0.0/8'] }).filter([SHOP]);
    expect(await builder.connect(APP, 80)).toBe(REFUSED);
    expect(await app.connect(address, 80)).toBe(REFUSED);
  });

  it('pass a firewall whose policy is to drop as before', async () => {
    await loadTable(
      'filter',
      `chain FORWARD { type filter hook forward priority 0; policy drop;
        iifname "br-*" oifname != "br-*" accept; ct state established,related accept; };`,
    );
    await open().filter([SHOP]);
    expect(await app.connect(PUBLIC, 80)).toMatch(/^internet/);
    expect(await app.connect(METADATA, 80)).toBe(REFUSED);
  });

  it('are filtered again after others removed the rules', async () => {
    const firewall = open();
    await firewall.filter([SHOP]);
    await machine.run(['nft', 'delete', 'table', 'inet', TABLE]);
    await firewall.repair();
    expect(await app.connect(METADATA, 80)).toBe(REFUSED);
    await machine.run(['nft', 'delete', 'table', 'inet', TABLE]);
    await firewall.filter([SHOP]);
    expect(await app.connect(METADATA, 80)).toBe(REFUSED);
  });

  it('follow the name servers of the machine, and those of the Docker Engine', async () => {
    let text = 'nameserver 192.0.2.1';
    const firewall = open({
      readText: async (path) =>
        path.endsWith('daemon.json') ? `{ "dns": ["${RESOLVER}", 7] }` : text,
    });
    await firewall.filter([SHOP]);
    expect(await app.send(RESOLVER, 53)).toMatch(/^resolver/);
    await internet.listen(OTHER_LAN, 53, 'new resolver');
    expect(await app.connect(OTHER_LAN, 53)).toBe(REFUSED);
    text = `nameserver ${OTHER_LAN}`;
    await firewall.repair();
    expect(await app.connect(OTHER_LAN, 53)).toMatch(/^new resolver/);
  });

  it('leave no rules behind with the last bridge', async () => {
    const rules = () => machine.run(['nft', 'list', 'tables']);
    const before = await rules();
    const firewall = open();
    await firewall.filter([SHOP, BLOG]);
    await firewall.filter([BLOG]);
    expect(await machine.run(['nft', 'list', 'table', 'inet', TABLE])).not.toContain(SHOP.device);
    await firewall.filter([]);
    await firewall.repair();
    expect(await rules()).toBe(before);
  });

  it('are never named by text that is not a device', async () => {
    const device = 'x" accept; "';
    await expect(open().filter([{ ...SHOP, device }])).rejects.toThrow('Not a bridge');
  });
});
