import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildAndStart,
  createDockerBench,
  type DockerBench,
  SERVE,
  SIGNAL,
} from '../../../test/engines/docker/docker-bench.ts';
import { canRunDocker } from '../../../test/engines/docker/docker-daemon.ts';
import { createOperator, type Operator } from '../../../test/engines/docker/operator.ts';
import {
  REGISTRY_USER,
  type Registry,
  startRemoteRegistry,
} from '../../../test/engines/docker/registry.ts';
import { TEST_NETWORK } from '../../../test/engines/process/test-network.ts';
import { Secret } from '../../secrets/secret.ts';
import type { ReleaseSpec } from '../engine.ts';
import {
  noSourceCredentials,
  type RegistryCredential,
  type SourceCredentials,
} from '../source-credentials.ts';
import type { DockerEngine } from './engine.ts';
import { imageTag } from './ownership.ts';

const WITH_PRIVATE_NETWORKS = {
  ...TEST_NETWORK,
  builders: { ...TEST_NETWORK.builders, reachesPrivateNetworks: true },
};
const ADA = randomUUID();
const INTEGRATION = randomUUID();

describe.skipIf(!canRunDocker)('private images', () => {
  let bench: DockerBench;
  let engine: DockerEngine;
  let operator: Operator;
  let registry: Registry;
  let image: string;
  let digest: string;
  let password = REGISTRY_USER.password;

  const credential = (): RegistryCredential => ({
    name: 'somebody at the registry',
    host: registry.host,
    username: REGISTRY_USER.username,
    password: new Secret(password),
  });
  const credentials: SourceCredentials = {
    ...noSourceCredentials,
    forRegistry: async (request, signal) =>
      request.ownerId === ADA && request.integrationId === INTEGRATION
        ? credential()
        : await noSourceCredentials.forRegistry(request, signal),
  };

  beforeAll(async () => {
    registry = await startRemoteRegistry({ isPrivate: true });
    bench = await createDockerBench();
    engine = await bench.engine({ credentials, network: WITH_PRIVATE_NETWORKS });
    operator = createOperator(bench.daemon.api);
    image = `${registry.host}/team/shop:latest`;
    digest = await registry.publish({ name: 'team/shop:latest', settings: { Cmd: SERVE } });
  });
  afterAll(async () => {
    await bench.clear();
    await registry.stop();
  });

  function specOf(changes: { ownerId?: string; integrationId?: string; name?: string }) {
    const { ownerId = ADA, integrationId = INTEGRATION, name = image } = changes;
    const origin: ReleaseSpec['origin'] = { kind: 'image', image: name, integrationId };
    return bench.repositories.spec('', { ownerId, origin });
  }

  it('are pulled with the integration of the owner, whose secret the app cannot see', async () => {
    const spec = specOf({});
    await buildAndStart(engine, spec);
    const [container] = await operator.containers();
    expect(await engine.build(spec, () => {}, SIGNAL)).toMatchObject({ revision: digest });
    const visible = [
      await operator.inspect(`/containers/${container?.Id}/json`),
      await operator.inspect(`/images/${imageTag(specOwner(), spec.appId, 1)}/history`),
      await operator.inspect(`/images/${imageTag(specOwner(), spec.appId, 1)}/json`),
      bench.lines,
    ];
    expect(JSON.stringify(visible)).not.toContain(REGISTRY_USER.password);
    expect(JSON.stringify(visible)).toContain('pulling');
  });

  it('that exist locally are also pulled with the integration', async () => {
    await operator.tag(imageTag(specOwner(), (await builtSpec()).appId, 1), image);
    expect(await engine.build(specOf({}), () => {}, SIGNAL)).toMatchObject({ revision: digest });
    await operator.removeImage(image);
  });

  it.each([
    ['by its name', () => image],
    ['by its digest', () => `${registry.host}/team/shop@${digest}`],
  ])('are not available to other users %s, although they exist locally', async (_, name) => {
    await builtSpec();
    const spec = bench.repositories.spec('', { origin: { kind: 'image', image: name() } });
    await expect(engine.build(spec, () => {}, SIGNAL)).rejects.toMatchObject({
      reason: 'image-refused',
    });
  });

  it('are not pulled with the integration of another user', async () => {
    const spec = specOf({ ownerId: randomUUID() });
    await expect(engine.build(spec, () => {}, SIGNAL)).rejects.toMatchObject({
      reason: 'integration-not-found',
    });
  });

  it('report the integration that was refused, without its secret', async () => {
    password = 'wrong-sentinel';
    await expect(engine.build(specOf({}), () => {}, SIGNAL)).rejects.toMatchObject({
      reason: 'image-refused',
      evidence: expect.arrayContaining(['Tried with the integration somebody at the registry']),
    });
    password = REGISTRY_USER.password;
    expect(bench.lines.join()).not.toContain('wrong-sentinel');
  });

  async function builtSpec(): Promise<ReleaseSpec> {
    const spec = specOf({});
    await engine.build(spec, () => {}, SIGNAL);
    return spec;
  }

  function specOwner() {
    return { installation: bench.deps.installation };
  }
});
