import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildAndStart,
  createDockerBench,
  type DockerBench,
  SERVES,
  SIGNAL,
} from '../../../test/engines/docker/docker-bench.ts';
import { canRunDocker } from '../../../test/engines/docker/docker-daemon.ts';
import { createOperator, type Operator } from '../../../test/engines/docker/operator.ts';
import type { ReleaseSpec } from '../engine.ts';
import { type Container, toInstance } from './container.ts';
import type { DockerEngine } from './engine.ts';
import { LABELS, networkName } from './ownership.ts';
import { PROJECT_NETWORKS } from './subnets.ts';

const GUESTS = ['guest-1', 'guest-2', 'guest-3'];

describe.skipIf(!canRunDocker)('addresses of containers', () => {
  let bench: DockerBench;
  let engine: DockerEngine;
  let operator: Operator;

  beforeAll(async () => {
    bench = await createDockerBench();
    engine = await bench.engine();
    operator = createOperator(bench.daemon.api);
    await operator.pull(bench.images.shellImage);
  });
  afterAll(() => bench.clear());

  it('stay the same when Docker restarts them, although others started meanwhile', async () => {
    const projectId = randomUUID();
    const spec = await bench.spec([SERVES], { projectId });
    const { address } = await buildAndStart(engine, spec);
    expect(address).toEqual({ host: expect.stringMatching(/^10\.21[2-5]\./), port: 3000 });
    const { Id } = await containerOf(spec);
    await operator.stop(Id);
    const joining = { Image: bench.images.shellImage, Cmd: ['sleep', '1000'] };
    const NetworkMode = nameOf(projectId);
    for (const name of GUESTS) {
      await operator.run(name, { ...joining, HostConfig: { NetworkMode } });
    }
    const others = [1, 2, 3].map(() => bench.spec([SERVES], { projectId }));
    for (const other of await Promise.all(others)) await buildAndStart(engine, other);
    await operator.start(Id);
    const { IPAddress } = await endpointOf(spec);
    expect(IPAddress).toBe(address.host);
    expect(toInstance(await containerOf(spec)).address).toEqual(address);
    for (const name of GUESTS) await operator.removeContainer(name);
  });

  it('are those in the network of the project, also if the operator connects another one', async () => {
    const spec = await bench.spec([SERVES]);
    const { address } = await buildAndStart(engine, spec);
    const { Id } = await containerOf(spec);
    await operator.connect(Id, 'a-backend');
    const { instances } = await engine.observe(spec.appId, SIGNAL);
    expect(instances.map((instance) => instance.address)).toEqual([address]);
  });

  it('are not published', async () => {
    const spec = await bench.spec([SERVES]);
    await buildAndStart(engine, spec);
    expect((await containerOf(spec)).HostConfig.PortBindings).toBeNull();
  });

  it('are those of a published port in a network of an earlier version', async () => {
    const projectId = randomUUID();
    await createNetwork(projectId);
    const spec = await bench.spec([SERVES], { projectId });
    const { address } = await buildAndStart(engine, spec);
    expect(address.host).toBe('127.0.0.1');
    expect((await fetch(`http://127.0.0.1:${address.port}/`)).status).toBe(404);
  });

  it('are those of a published port where no subnet is free', async () => {
    for (const appId of await engine.listApps(SIGNAL)) await engine.removeApp(appId, SIGNAL);
    const body = { Name: 'everything', IPAM: { Config: [{ Subnet: PROJECT_NETWORKS }] } };
    await bench.daemon.api.call('POST', '/networks/create', { body, signal: SIGNAL });
    const { address } = await buildAndStart(engine, await bench.spec([SERVES]));
    expect(address.host).toBe('127.0.0.1');
  });

  function nameOf(projectId: string): string {
    return networkName({ installation: bench.deps.installation }, projectId);
  }

  async function createNetwork(projectId: string): Promise<void> {
    const Labels = {
      [LABELS.installation]: bench.deps.installation,
      [LABELS.project]: projectId,
    };
    const body = { Name: nameOf(projectId), Labels };
    await bench.daemon.api.call('POST', '/networks/create', { body, signal: SIGNAL });
  }

  async function containerOf({ appId }: ReleaseSpec): Promise<Container> {
    const found = (await operator.containers()).find(({ Names }) => Names[0]?.includes(appId));
    return await operator.inspect(`/containers/${found?.Id}/json`);
  }

  async function endpointOf(spec: ReleaseSpec) {
    const { NetworkSettings } = await containerOf(spec);
    return NetworkSettings.Networks[nameOf(spec.projectId)] ?? { IPAddress: undefined };
  }
});
