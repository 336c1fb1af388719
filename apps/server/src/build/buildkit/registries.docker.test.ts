import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Buildkitd, startBuildkitd } from '../../../test/build/buildkitd.ts';
import { canRunDocker } from '../../../test/engines/docker/docker-daemon.ts';
import {
  REGISTRY_USER,
  type Registry,
  startRegistry,
} from '../../../test/engines/docker/registry.ts';
import { Secret } from '../../secrets/secret.ts';
import { buildkitdConfig } from './buildkitd-config.ts';
import { imageFailure } from './image-failure.ts';
import { openRegistryForwarders, type RegistryForwarders } from './open-forwarders.ts';
import { registryAuth } from './registry-auth.ts';
import { type RegistryForwarder, startRegistryForwarder } from './registry-forwarder.ts';

const GIB = 1024 ** 3;
/** Only the forwarder leads to it. */
const OWN = 'registry.invalid:5000';
const FILES = { 'file.txt': 'content' };

describe.skipIf(!canRunDocker)('registries of BuildKit', () => {
  let mirror: Registry;
  let own: Registry;
  let privates: [Registry, Registry];
  let forwarders: RegistryForwarders;
  let ownForwarder: RegistryForwarder;
  let buildkitd: Buildkitd;

  beforeAll(async () => {
    mirror = await startRegistry();
    own = await startRegistry();
    privates = [await startRegistry({ isPrivate: true }), await startRegistry({ isPrivate: true })];
    await mirror.publish({ name: 'library/mirrored:1', base: 'scratch', files: FILES });
    await mirror.publish({ name: 'other/team:1', base: 'scratch', files: FILES });
    for (const name of ['team/app:1', 'other/app:1']) {
      await own.publish({ name, base: 'scratch', files: { 'file.txt': name } });
    }
    for (const [index, registry] of privates.entries()) {
      const files = { 'file.txt': `private ${index}` };
      await registry.publish({ name: 'app:1', base: 'scratch', files });
    }
    const registries = {
      registry: { host: OWN, path: 'team', isInsecure: false },
      mirror: { host: mirror.host, isPlainHttp: true },
    };
    const deps = {
      resolve: async (host: string) => [host],
      logError(error: unknown) {
        throw error;
      },
    };
    const mirrorOnly = { ...registries, registry: undefined };
    forwarders = await openRegistryForwarders(mirrorOnly, deps, AbortSignal.timeout(10_000));
    ownForwarder = await startRegistryForwarder({
      name: OWN,
      path: 'team',
      origins: [`http://${own.host}`],
      isInsecure: false,
    });
    buildkitd = await startBuildkitd(
      buildkitdConfig({
        diskBytes: 10 * GIB,
        parallelism: 2,
        nameservers: [],
        registries,
        forwarders: {
          ...forwarders.addressesAt('127.0.0.1'),
          registry: `127.0.0.1:${ownForwarder.port}`,
        },
      }),
    );
  });
  afterAll(async () => {
    await buildkitd.stop();
    await forwarders.close();
    await ownForwarder.close();
    for (const registry of [mirror, own, ...privates]) await registry.stop();
  });

  const from = (image: string, auth?: string) =>
    buildkitd.build(`FROM ${image}\nCOPY Dockerfile /\n`, auth);
  const reasonFor = async (image: string, auth?: string) =>
    imageFailure((await from(image, auth)) ?? '', { allowsPrivateNetworks: true })?.reason;
  const authFor = (host: string) =>
    registryAuth([
      { ...REGISTRY_USER, name: 'a', host, password: new Secret(REGISTRY_USER.password) },
    ])?.reveal();

  it('have a cache limit that buildkitd understands', async () => {
    const workers = await buildkitd.workers();
    expect(workers).toContain(`Maximum used space:\t${(6 * GIB) / 1e9}GB`);
    expect(workers).toContain(`Minimum free space:\t${(3 * GIB) / 1e9}GB`);
  });

  it('grant no entitlement', async () => {
    const problem = await buildkitd.build('FROM mirrored:1\nRUN --network=host ["/bin/true"]\n');
    expect(problem).toContain('network.host is not allowed');
  });

  it('serve images of Docker Hub through the forwarder of the mirror', async () => {
    expect(await from('mirrored:1')).toBeUndefined();
    expect(await from('docker.io/other/team:1')).toBeUndefined();
  });

  it('serve the registry of the operator through its forwarder, below its path', async () => {
    expect(await from(`${OWN}/team/app:1`)).toBeUndefined();
    expect(await reasonFor(`${OWN}/other/app:1`)).toBe('image-not-found');
  });

  it('get the password of exactly their host and port', async () => {
    const [first, second] = privates;
    expect(await reasonFor(`${first.host}/app:1`)).toBe('image-refused');
    expect(await reasonFor(`${second.host}/app:1`, authFor(first.host))).toBe('image-refused');
    const alias = first.host.replace('127.0.0.1', 'localhost');
    expect(await reasonFor(`${alias}/app:1`, authFor(first.host))).toBe('image-refused');
    expect(await from(`${first.host}/app:1`, authFor(first.host))).toBeUndefined();
    expect(await from(`${second.host}/app:1`, authFor(second.host))).toBeUndefined();
  });

  it('do not get the password of Docker Hub', async () => {
    const [first] = privates;
    expect(await reasonFor(`${first.host}/app:1`, authFor('docker.io'))).toBe('image-refused');
  });

  it.each([
    ['missing:1', 'image-not-found'],
    ['127.0.0.1:1/app:1', 'source-not-allowed'],
  ])('explain the failure of %s', async (image, reason) => {
    expect(await reasonFor(image)).toBe(reason);
  });
});
