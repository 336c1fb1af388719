import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  buildAndStart,
  createDockerBench,
  type DockerBench,
  SERVES,
  SIGNAL,
} from '../../../test/engines/docker/docker-bench.ts';
import { canRunDocker } from '../../../test/engines/docker/docker-daemon.ts';
import { createOperator, type Operator } from '../../../test/engines/docker/operator.ts';
import {
  createNamespace,
  enterNamespace,
  type Namespace,
} from '../../../test/sandbox/network-machine.ts';
import { bridgeTableName } from '../../sandbox/network/bridge-ruleset.ts';
import { hostCommands } from '../../sandbox/network/host-commands.ts';
import { installationOf } from '../../sandbox/open-sandbox.ts';
import type { ReleaseSpec } from '../engine.ts';
import { imageTag, LABELS, networkName } from './ownership.ts';
import type { PreparedDockerEngine } from './prepare-engine.ts';

const REFUSED = 'ECONNREFUSED';
const PUBLIC = '203.0.113.77';
const PRIVATE = '10.99.7.2';
const METADATA = '169.254.169.254';
const UPLINK = { device: 'lstestuplink', machine: '198.18.77.1', outside: '198.18.77.2' };
/** Routes to the addresses above, for the bridges of this test only. They disappear with the device. */
const ROUTES = '7791';
/** The address of Docker's own bridge. */
const DEFAULT_BRIDGE = '172.17.0.1';

type Inspected = {
  State: { Pid: number };
  NetworkSettings: {
    Networks: Record<string, { IPAddress: string; Gateway: string; NetworkID: string }>;
  };
};
type Running = { spec: ReleaseSpec; address: string; gateway: string; inside: Namespace };

describe.skipIf(!canRunDocker)('what containers of two users reach', () => {
  const namespaces: Namespace[] = [];
  const routedBridges = new Set<string>();
  let bench: DockerBench;
  let operator: Operator;
  let engine: PreparedDockerEngine;
  let shop: Running;
  let sibling: Running;
  let victim: Running;
  let outside: Namespace;

  beforeAll(async () => {
    bench = await createDockerBench();
    operator = createOperator(bench.daemon.api);
    engine = await bench.engine();
    outside = await createOutside();
    shop = await start({ name: 'shop' });
    sibling = await start({ name: 'sibling', projectId: shop.spec.projectId });
    victim = await start({ name: 'victim', ownerId: 'somebody-else' });
  });
  afterAll(async () => {
    // Missing if the start failed.
    await ip('link', 'delete', UPLINK.device).catch(() => {});
    for (const bridge of routedBridges) await ip('rule', 'delete', 'iif', bridge, 'lookup', ROUTES);
    await Promise.all(namespaces.map((namespace) => namespace.stop()));
    await bench.clear();
  });

  async function ip(...args: string[]): Promise<void> {
    await hostCommands.run(['ip', ...args], { signal: SIGNAL });
  }

  /** A public, a private and a metadata address that containers of this test are routed to. */
  async function createOutside(): Promise<Namespace> {
    const created = await createNamespace();
    namespaces.push(created);
    const { device, machine, outside: other } = UPLINK;
    await ip(
      'link',
      'add',
      device,
      'type',
      'veth',
      'peer',
      'name',
      'eth0',
      'netns',
      String(created.pid),
    );
    await ip('address', 'add', `${machine}/30`, 'dev', device);
    await ip('link', 'set', device, 'up');
    await created.run(['ip', 'link', 'set', 'lo', 'up']);
    await created.run(['ip', 'link', 'set', 'eth0', 'up']);
    await created.run(['ip', 'address', 'add', `${other}/30`, 'dev', 'eth0']);
    for (const address of [PUBLIC, PRIVATE, METADATA]) {
      await ip('route', 'add', address, 'via', other, 'dev', device, 'table', ROUTES);
      await created.run(['ip', 'address', 'add', `${address}/32`, 'dev', 'lo']);
    }
    await created.run(['ip', 'route', 'add', 'default', 'via', machine]);
    await created.listen('0.0.0.0', 80, 'outside');
    await created.listen(PUBLIC, 53, 'outside');
    return created;
  }

  async function start(changes: Partial<ReleaseSpec>): Promise<Running> {
    const spec = await bench.spec([SERVES], changes);
    await buildAndStart(engine, spec);
    const [found] = await bench.daemon.api.call<{ Id: string }[]>('GET', '/containers/json', {
      query: { filters: JSON.stringify({ label: [`${LABELS.app}=${spec.appId}`] }) },
      signal: SIGNAL,
    });
    return { spec, ...(await enter(found?.Id ?? '')) };
  }

  async function enter(id: string): Promise<Omit<Running, 'spec'>> {
    const { State, NetworkSettings } = await operator.inspect<Inspected>(`/containers/${id}/json`);
    const [network] = Object.values(NetworkSettings.Networks);
    const bridge = `br-${network?.NetworkID.slice(0, 12)}`;
    if (!routedBridges.has(bridge)) {
      await ip('rule', 'add', 'iif', bridge, 'lookup', ROUTES);
      routedBridges.add(bridge);
    }
    const inside = await enterNamespace(State.Pid);
    namespaces.push(inside);
    return { address: network?.IPAddress ?? '', gateway: network?.Gateway ?? '', inside };
  }

  /** A service of the machine that listens on this address until the test ends. */
  async function listen(host: string, port = 0): Promise<number> {
    const server = createServer((socket) => socket.end('machine'));
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
    return (server.address() as { port: number }).port;
  }

  it('are their own project and public addresses', async () => {
    expect(await shop.inside.open(sibling.address, 3000)).toBe('open');
    expect(await shop.inside.connect(PUBLIC, 80)).toBe(`outside ${UPLINK.machine}`);
  });

  it('are neither other users, nor private networks, nor metadata services', async () => {
    expect(await shop.inside.connect(victim.address, 3000)).toBe(REFUSED);
    expect(await shop.inside.connect(PRIVATE, 80)).toBe(REFUSED);
    expect(await shop.inside.connect(METADATA, 80)).toBe(REFUSED);
  });

  it('are no ports of the machine, at none of its addresses', async () => {
    const everywhere = await listen('0.0.0.0');
    for (const address of [shop.gateway, victim.gateway, DEFAULT_BRIDGE, UPLINK.machine]) {
      expect([address, await shop.inside.connect(address, everywhere)]).toEqual([address, REFUSED]);
    }
    const loopback = await listen('127.0.0.1');
    expect(await shop.inside.connect(shop.gateway, loopback)).toBe(REFUSED);
  });

  it('are no ports that other containers publish', async () => {
    const image = imageTag({ installation: bench.deps.installation }, victim.spec.appId, 1);
    const id = await operator.run('published', {
      Image: image,
      Env: ['PORT=3000'],
      ExposedPorts: { '3000/tcp': {} },
      HostConfig: { PortBindings: { '3000/tcp': [{ HostIp: '0.0.0.0', HostPort: '39917' }] } },
    });
    const { address } = await enter(id);
    await expect.poll(() => outside.open(UPLINK.machine, 39_917)).toBe('open');
    for (const host of [shop.gateway, DEFAULT_BRIDGE, UPLINK.machine]) {
      expect([host, await shop.inside.connect(host, 39_917)]).toEqual([host, REFUSED]);
    }
    expect(await shop.inside.connect(address, 3000)).toBe(REFUSED);
    await operator.removeContainer('published');
  });

  it('are nothing from an address that is not their own', async () => {
    await shop.inside.run(['ip', 'address', 'add', `${victim.address}/32`, 'dev', 'eth0']);
    expect(await shop.inside.post(PUBLIC, 53, victim.address)).toBe('sent');
    expect(await shop.inside.send(PUBLIC, 53)).toBe(`outside ${UPLINK.machine}`);
    expect(await outside.senders()).toEqual([UPLINK.machine]);
    await shop.inside.run(['ip', 'address', 'delete', `${victim.address}/32`, 'dev', 'eth0']);
  });

  it('is the edge on a loopback address, by the public names of the project', async () => {
    await listen('127.0.0.1', bench.deps.network.edge.ports[0]);
    expect(await shop.inside.connect(shop.gateway, 8080)).toBe('machine');
    const [found] = (await operator.containers()).filter(({ Names }) =>
      Names[0]?.includes(sibling.spec.appId),
    );
    const { HostConfig } = await operator.inspect<{ HostConfig: { ExtraHosts: string[] } }>(
      `/containers/${found?.Id}/json`,
    );
    expect(HostConfig.ExtraHosts).toEqual([
      expect.stringMatching(new RegExp(`^sibling.*localhost:${shop.gateway}$`)),
      expect.stringMatching(new RegExp(`^shop.*localhost:${shop.gateway}$`)),
    ]);
  });

  it('stays so when the rules were removed, and when the server is restarted', async () => {
    const table = bridgeTableName(installationOf(bench.deps.dataDir));
    const remove = () =>
      hostCommands.run(['nft', 'delete', 'table', 'inet', table], { signal: SIGNAL });
    await remove();
    await start({ name: 'next' });
    expect(await shop.inside.connect(METADATA, 80)).toBe(REFUSED);
    await bench.closeEngines();
    expect(await shop.inside.connect(METADATA, 80)).toBe(REFUSED);
    await remove();
    engine = await bench.engine();
    expect(await engine.isolation()).toEqual({ kind: 'isolated' });
    expect(await shop.inside.connect(METADATA, 80)).toBe(REFUSED);
    expect(await shop.inside.connect(PUBLIC, 80)).toMatch(/^outside/);
  });

  it('is filtered also on a network that an earlier version made, without a restart', async () => {
    const projectId = 'earlier';
    const owner = { installation: bench.deps.installation };
    const name = networkName(owner, projectId);
    const Labels = { [LABELS.installation]: owner.installation, [LABELS.project]: projectId };
    await bench.daemon.api.call('POST', '/networks/create', {
      body: { Name: name, Labels },
      signal: SIGNAL,
    });
    const id = await operator.run('earlier', {
      Image: imageTag(owner, victim.spec.appId, 1),
      Env: ['PORT=3000'],
      Labels: { ...Labels, [LABELS.app]: victim.spec.appId, [LABELS.instance]: '99' },
      HostConfig: { NetworkMode: name },
    });
    const { inside } = await enter(id);
    await outside.echo('0.0.0.0', 7);
    await inside.open(PUBLIC, 7);
    expect(await inside.connect(METADATA, 80)).toMatch(/^outside/);
    await bench.closeEngines();
    engine = await bench.engine();
    await engine.isolation();
    expect(await inside.connect(METADATA, 80)).toBe(REFUSED);
    expect(await inside.say('still here')).toBe('still here');
    await operator.removeContainer('earlier');
  });

  it('leaves no rules behind with the last app', async () => {
    for (const appId of await engine.listApps(SIGNAL)) await engine.removeApp(appId, SIGNAL);
    const tables = await hostCommands.run(['nft', 'list', 'tables'], { signal: SIGNAL });
    expect(tables).not.toContain(bridgeTableName(installationOf(bench.deps.dataDir)));
  });
});
