import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createMachine,
  createNamespace,
  GATEWAY,
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
import type { Attachment, SandboxNetwork } from './network.ts';

const never = new AbortController().signal;

/** Namespaces of root are needed; other users skip these tests. */
describe.runIf(process.getuid?.() === 0)('what a program reaches', () => {
  let machine: Namespace;
  let internet: Namespace;
  let app: Namespace;
  let sibling: Namespace;
  let outsider: Namespace;
  let own: Attachment;
  let ofSibling: Attachment;
  let ofOther: Attachment;
  let network: SandboxNetwork;

  beforeAll(async () => {
    ({ machine, internet } = await createMachine({ hasIpv6: true }));
    [app, sibling, outsider] = await Promise.all([
      createNamespace(),
      createNamespace(),
      createNamespace(),
    ]);
    network = await openNetworkOn(machine, {
      // An operator who allows more than the private network of the machine.
      allowedNetworks: [
        '192.168.50.0/24',
        'fd77::/64',
        '10.0.0.0/8',
        '169.254.0.0/16',
        '198.51.100.0/24',
        'fd00::/8',
      ],
    });
    await network.adopt([]);
    [own, ofSibling, ofOther] = await Promise.all([
      network.attach(app.pid, { projectId: 'one' }, never),
      network.attach(sibling.pid, { projectId: 'one' }, never),
      network.attach(outsider.pid, { projectId: 'two' }, never),
    ]);
    await Promise.all([
      ...[app, sibling, outsider].map((it) => it.listen('::', 80, 'app')),
      internet.listen('::', 80, 'internet'),
      internet.listen(RESOLVER, 53, 'resolver'),
      internet.listen(METADATA, 53, 'metadata'),
      machine.listen('::', 5432, 'database'),
      machine.listen('127.0.0.1', 8080, 'edge'),
      machine.listen(MACHINE, 8080, 'not the edge'),
    ]);
  });
  afterAll(async () => {
    await Promise.all([machine, internet, app, sibling, outsider].map((it) => it?.stop()));
  });

  it('has only its own address, and listens on low ports', async () => {
    expect(await app.run(['ip', '-o', 'address', 'show', 'dev', 'eth0'])).toMatch(
      new RegExp(`^2: eth0 +inet ${own.address}/32 .*\n2: eth0 +inet6 ${own.address6}/128 .*$`),
    );
    expect(await app.run(['cat', '/proc/sys/net/ipv4/ip_unprivileged_port_start'])).toBe('0');
  });

  it('leaves the device of the host without an address', async () => {
    expect(await machine.run(['ip', 'address', 'show', 'dev', own.device])).not.toContain('inet');
  });

  it('is reached by the host, which appears as the gateway', async () => {
    expect(await machine.connect(own.address, 80)).toBe(`app ::ffff:${GATEWAY}`);
  });

  it('reaches its project, in both families', async () => {
    expect(await app.connect(ofSibling.address, 80)).toBe(`app ::ffff:${own.address}`);
    expect(await app.connect(ofSibling.address6 ?? '', 80)).toBe(`app ${own.address6}`);
    expect(await app.send(ofSibling.address, 80)).toBe(`app ::ffff:${own.address}`);
  });

  it('reaches public addresses as the machine', async () => {
    expect(await app.connect(PUBLIC, 80)).toBe(`internet ::ffff:${MACHINE}`);
    expect(await app.connect(PUBLIC_6, 80)).toBe(`internet ${MACHINE_6}`);
  });

  it('reaches allowed networks', async () => {
    expect(await app.connect(LAN, 80)).toBe(`internet ::ffff:${MACHINE}`);
    expect(await app.connect(LAN_6, 80)).toBe(`internet ${MACHINE_6}`);
  });

  it('asks the resolver', async () => {
    expect(await app.send(RESOLVER, 53)).toBe(`resolver ${MACHINE}`);
    expect(await app.connect(RESOLVER, 53)).toBe(`resolver ${MACHINE}`);
  });

  it('reaches the edge at the gateway', async () => {
    expect(await app.connect(GATEWAY, 8080)).toBe(`edge ${own.address}`);
  });

  it.each([
    ['another project', () => ofOther.address, 80],
    ['another project over IPv6', () => ofOther.address6 ?? '', 80],
    ['an address without a program', () => '10.213.255.250', 80],
    ['a port of the host at the gateway', () => GATEWAY, 5432],
    ['a port of the host at its public address', () => MACHINE, 5432],
    ['a port of the host over IPv6', () => MACHINE_6, 5432],
    ['the port of the edge at an address where the edge does not listen', () => MACHINE, 8080],
    ['the metadata service', () => METADATA, 80],
    ['the metadata service over IPv6', () => METADATA_6, 80],
    ['the resolver port of the metadata service', () => METADATA, 53],
    ['a private network', () => OTHER_LAN, 80],
    ['an embedded private address', () => '64:ff9b::ac14:5', 80],
  ])('is refused at once by %s', async (_, host, port) => {
    expect(await app.connect(host(), port)).toBe('ECONNREFUSED');
  });

  it('is refused by a port of the host that another program forwards, for example of a container', async () => {
    const rules = `table ip published { chain incoming { type nat hook prerouting priority dstnat;
      tcp dport 9000 dnat to ${LAN}:80; tcp dport 9001 dnat to ${MACHINE}:5432; }; }`;
    await machine.run(['nft', '-f', '-'], rules);
    expect(await app.connect(PUBLIC, 9001)).toBe('ECONNREFUSED');
    expect(await app.connect(MACHINE, 9000)).toBe('ECONNREFUSED');
    expect(await app.connect(GATEWAY, 9000)).toBe('ECONNREFUSED');
  });

  it('is refused at once for datagrams', async () => {
    expect(await app.send(METADATA, 80)).toBe('EHOSTUNREACH');
    expect(await app.send(GATEWAY, 5432)).toBe('EHOSTUNREACH');
    expect(await app.send(ofOther.address, 80)).toBe('EHOSTUNREACH');
  });

  it('is not reached from outside', async () => {
    expect(await internet.isDropped(own.address, 80)).toBe(true);
  });

  it('cannot send from an address that is not its own', async () => {
    await app.run(['ip', 'address', 'add', '8.8.8.8/32', 'dev', 'eth0']);
    expect(await app.post(RESOLVER, 53, '8.8.8.8')).toBe('sent');
    // Later packets do not overtake it.
    expect(await app.send(RESOLVER, 53)).toBe(`resolver ${MACHINE}`);
    expect(await internet.senders()).toEqual([MACHINE]);
  });

  it('cannot reach the loopback addresses of the host', async () => {
    // Packets for 127.0.0.2 leave the namespace, which only its root can arrange.
    await outsider.run(['ip', 'route', 'delete', 'local', '127.0.0.0/8', 'table', 'local']);
    await outsider.run([
      'ip',
      'route',
      'add',
      '127.0.0.2',
      'via',
      GATEWAY,
      'dev',
      'eth0',
      'onlink',
    ]);
    await outsider.run(['tee', '/proc/sys/net/ipv4/conf/eth0/route_localnet'], '1');
    expect(await outsider.isDropped('127.0.0.2', 5432, ofOther.address)).toBe(true);
  });

  it('cannot fill the connection table of the machine', async () => {
    expect(await app.flood(PUBLIC, 2_500)).toBe('sent');
    expect(await app.connect(PUBLIC, 80)).toBe('ECONNREFUSED');
    expect(await sibling.connect(PUBLIC, 80)).toMatch(/^internet/);
  });
});

describe.runIf(process.getuid?.() === 0)('what a builder reaches', () => {
  const namespaces: Namespace[] = [];
  const MIRROR_PORT = 5000;
  const REGISTRY_PORT = 5443;
  let machine: Namespace;
  let builder: Namespace;
  let app: Namespace;
  let ofBuilder: Attachment;
  let ofApp: Attachment;
  let ofOther: Attachment;

  /** The programs of a machine whose operator allows builders this. */
  async function start(reachesPrivateNetworks: boolean): Promise<void> {
    const created = await createMachine({ hasIpv6: true });
    machine = created.machine;
    const { internet } = created;
    const programs = [await createNamespace(), await createNamespace(), await createNamespace()];
    const [one, two, three] = programs as [Namespace, Namespace, Namespace];
    [builder, app] = [one, two];
    namespaces.push(machine, internet, ...programs);
    const network = await openNetworkOn(machine, {
      builders: {
        reachesPrivateNetworks,
        forwardedPorts: [MIRROR_PORT],
        registries: [
          { address: OTHER_LAN, port: REGISTRY_PORT },
          { address: LAN_6, port: REGISTRY_PORT },
          { address: MACHINE, port: REGISTRY_PORT },
        ],
      },
    });
    await network.adopt([]);
    ofBuilder = await network.attach(builder.pid, { isBuilder: true }, never);
    ofApp = await network.attach(app.pid, { projectId: 'one' }, never);
    ofOther = await network.attach(three.pid, { isBuilder: true }, never);
    await Promise.all([
      ...programs.map((it) => it.listen('::', 80, 'program')),
      internet.listen('::', 80, 'internet'),
      internet.listen('::', REGISTRY_PORT, 'registry'),
      machine.listen('::', 5432, 'database'),
      machine.listen('127.0.0.1', 8080, 'edge'),
      machine.listen('127.0.0.1', MIRROR_PORT, 'mirror'),
      machine.listen(MACHINE, MIRROR_PORT, 'not the mirror'),
    ]);
  }

  afterEach(async () => {
    await Promise.all(namespaces.splice(0).map((it) => it.stop()));
  });

  it.each([false, true])('is its own, with private networks %s', async (isAllowed) => {
    await start(isAllowed);
    const refused = 'ECONNREFUSED';
    const onlyIfAllowed = isAllowed ? `internet ::ffff:${MACHINE}` : refused;
    const cases: [host: string, port: number, answer: string][] = [
      [PUBLIC, 80, `internet ::ffff:${MACHINE}`],
      [PUBLIC_6, 80, `internet ${MACHINE_6}`],
      [OTHER_LAN, 80, onlyIfAllowed],
      [LAN_6, 80, isAllowed ? `internet ${MACHINE_6}` : refused],
      [OTHER_LAN, REGISTRY_PORT, `registry ::ffff:${MACHINE}`],
      [LAN_6, REGISTRY_PORT, `registry ${MACHINE_6}`],
      [GATEWAY, MIRROR_PORT, `mirror ${ofBuilder.address}`],
      [GATEWAY, 8080, `edge ${ofBuilder.address}`],
      [MACHINE, MIRROR_PORT, refused],
      [MACHINE_6, MIRROR_PORT, refused],
      [GATEWAY, 5432, refused],
      [MACHINE, 5432, refused],
      [METADATA, 80, refused],
      [METADATA_6, 80, refused],
      [METADATA, REGISTRY_PORT, refused],
      [ofApp.address, 80, refused],
      [ofApp.address6 ?? '', 80, refused],
      [ofOther.address, 80, refused],
    ];
    for (const [host, port, answer] of cases) {
      expect([host, port, await builder.connect(host, port)]).toEqual([host, port, answer]);
    }
    const notForApps: [host: string, port: number][] = [
      [OTHER_LAN, REGISTRY_PORT],
      [LAN_6, REGISTRY_PORT],
      [GATEWAY, MIRROR_PORT],
      [OTHER_LAN, 80],
      [ofBuilder.address, 80],
    ];
    for (const [host, port] of notForApps) {
      expect([host, port, await app.connect(host, port)]).toEqual([host, port, refused]);
    }
  });

  it('is a registry in a container of this machine at its published port only', async () => {
    await start(false);
    await machine.run(
      ['nft', '-f', '-'],
      `table ip published { chain incoming { type nat hook prerouting priority dstnat;
        ip daddr ${MACHINE} tcp dport ${REGISTRY_PORT} dnat to ${LAN}:80; }; }`,
    );
    expect(await builder.connect(MACHINE, REGISTRY_PORT)).toBe(`internet ::ffff:${MACHINE}`);
    expect(await builder.connect(LAN, 80)).toBe('ECONNREFUSED');
    expect(await app.connect(MACHINE, REGISTRY_PORT)).toBe('ECONNREFUSED');
  });
});
