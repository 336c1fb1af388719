import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  buildAndStart,
  createDockerBench,
  type DockerBench,
  SIGNAL,
} from '../../../test/engines/docker/docker-bench.ts';
import { canRunDocker } from '../../../test/engines/docker/docker-daemon.ts';
import { createOperator, type Operator } from '../../../test/engines/docker/operator.ts';
import { type Registry, startRegistry } from '../../../test/engines/docker/registry.ts';
import type { Instance, ReleaseSpec } from '../engine.ts';
import type { DockerApi } from './docker-api.ts';
import type { DockerEngine } from './engine.ts';
import { imageTag } from './ownership.ts';

describe.skipIf(!canRunDocker)('images', () => {
  let bench: DockerBench;
  let engine: DockerEngine;
  let operator: Operator;
  let registry: Registry;
  let image: string;

  beforeAll(async () => {
    registry = await startRegistry();
    bench = await createDockerBench({ registry });
    engine = await bench.engine();
    operator = createOperator(bench.daemon.api);
    image = `${registry.host}/team/shop:latest`;
  });
  afterAll(async () => {
    await bench.clear();
    await registry.stop();
  });

  it('pulls and runs an image, records its digest, and removes its original tag', async () => {
    const digest = await publish('first');
    const spec = imageSpec(image);
    await engine.build(spec, () => {}, SIGNAL);
    expect(await engine.build(spec, () => {}, SIGNAL)).toMatchObject({ revision: digest });
    const started = await engine.startInstance(spec, SIGNAL);
    await engine.waitUntilListening(started, spec, SIGNAL);
    expect(await textOf(started)).toBe('first\n');
    const tagged = await operator.image(tagOf(spec));
    expect(tagged?.RepoTags).toEqual([tagOf(spec)]);
    expect(await operator.image(image)).toBeUndefined();
  });

  it('pulls again with each release, and keeps the image of the previous one', async () => {
    const first = imageSpec(image);
    await publish('old');
    await engine.build(first, () => {}, SIGNAL);
    const changed = await publish('new');
    const second = { ...first, number: 2 };
    expect(await engine.build(second, () => {}, SIGNAL)).toMatchObject({ revision: changed });
    const served = await buildAndStart(engine, second);
    expect(await textOf(served)).toBe('new\n');
    const before = await buildAndStart(engine, first);
    expect(await textOf(before)).toBe('old\n');
  });

  it('pulls an image by its digest, even if its tag has moved', async () => {
    const digest = await publish('pinned');
    await publish('moved on');
    const pinned = `${registry.host}/team/shop@${digest}`;
    const spec = imageSpec(pinned);
    expect(await engine.build(spec, () => {}, SIGNAL)).toMatchObject({ revision: digest });
    expect((await operator.image(tagOf(spec)))?.RepoDigests).toEqual([]);
    const served = await buildAndStart(engine, spec);
    expect(await textOf(served)).toBe('pinned\n');
  });

  it('never moves tags of other users', async () => {
    await publish('theirs');
    await operator.pull(image);
    const otherImage = await operator.image(image);
    const digest = await publish('ours');
    await operator.tag(otherImage?.Id ?? '', image);
    const spec = imageSpec(image);
    expect(await engine.build(spec, () => {}, SIGNAL)).toMatchObject({ revision: digest });
    expect((await operator.image(image))?.Id).toBe(otherImage?.Id);
    await engine.removeApp(spec.appId, SIGNAL);
    expect((await operator.image(image))?.Id).toBe(otherImage?.Id);
    await operator.removeImage(image);
  });

  it('lets several apps pull the same image at the same time', async () => {
    const digest = await publish('both');
    const builds = [imageSpec(image), imageSpec(image), imageSpec(image)].map((spec) =>
      engine.build(spec, () => {}, SIGNAL),
    );
    expect(await Promise.all(builds)).toMatchObject(builds.map(() => ({ revision: digest })));
    expect(await operator.image(image)).toBeUndefined();
  });

  it.each([
    ['a repository that does not exist', () => `${registry.host}/team/nothing:1`],
    ['a tag that does not exist', () => `${registry.host}/team/shop:nothing`],
  ])('fails with image-not-found for %s', async (_, name) => {
    await publish('there');
    await expect(build(name())).rejects.toMatchObject({
      reason: 'image-not-found',
      evidence: [`Image: ${name()}`],
    });
  });

  it('fails with image-refused when the registry requires authentication', async () => {
    const closed = await startRegistry({ isPrivate: true });
    onTestFinished(closed.stop);
    const other = await bench.otherEngine({ registries: bench.registriesWith(closed) });
    const spec = imageSpec(`${closed.host}/team/shop:1`);
    await expect(other.build(spec, () => {}, SIGNAL)).rejects.toMatchObject({
      reason: 'image-refused',
    });
  });

  it('fails with registry-unreachable when the registry does not respond', async () => {
    const stopped = '127.0.0.1:1';
    const other = await bench.otherEngine({ registries: bench.registriesWith({ host: stopped }) });
    const spec = imageSpec(`${stopped}/team/shop:1`);
    await expect(other.build(spec, () => {}, SIGNAL)).rejects.toMatchObject({
      reason: 'registry-unreachable',
    });
  });

  it('fails with source-not-allowed for a registry of this machine, unless it is the operator’s', async () => {
    const other = await bench.otherEngine({ registries: bench.registriesWith() });
    const spec = imageSpec(image);
    await expect(other.build(spec, () => {}, SIGNAL)).rejects.toMatchObject({
      reason: 'source-not-allowed',
    });
  });

  it('fails with image-wrong-architecture, and removes the image', async () => {
    await registry.publish({ name: 'team/other:1', base: 'scratch', architecture: 's390x' });
    const images = await operator.images();
    await expect(build(`${registry.host}/team/other:1`)).rejects.toMatchObject({
      reason: 'image-wrong-architecture',
    });
    expect(await operator.images()).toEqual(images);
  });

  it('refuses a registry in a private network, unless the operator allows it', async () => {
    const registries = bench.registriesWith();
    const strict = await bench.otherEngine({ allowLocalSources: false, registries });
    await expect(strict.build(imageSpec(image), () => {}, SIGNAL)).rejects.toMatchObject({
      reason: 'source-not-allowed',
    });
  });

  it.each([
    '--help',
    'a b',
    'a;b',
    '$(id)',
    '`id`',
    'a\nb',
    '../../etc/passwd',
    'http://a/b',
    'a?b=c',
    'ünï',
  ])('refuses %j as the name of an image', async (name) => {
    await expect(build(name)).rejects.toMatchObject({ reason: 'source-not-allowed' });
  });

  it('leaves nothing behind when the pull is aborted just after it was complete', async () => {
    await publish('aborted');
    const before = await operator.images();
    const stop = new AbortController();
    const { api } = bench.daemon;
    const docker: DockerApi = {
      ...api,
      async call(method, path, options) {
        // What the builder runs once the image is in the Engine.
        if ((options.body as { Cmd?: string[] } | undefined)?.Cmd?.[0] === 'ls') stop.abort();
        return await api.call(method, path, options);
      },
    };
    const aborting = await bench.otherEngine({ docker });
    const spec = imageSpec(image);
    await expect(aborting.build(spec, () => {}, stop.signal)).rejects.toThrow();
    expect(stop.signal.aborted).toBe(true);
    expect(await operator.images()).toEqual(before);
    expect(await operator.image(image)).toBeUndefined();
  });

  function imageSpec(name: string): ReleaseSpec {
    return bench.repositories.spec('', { origin: { kind: 'image', image: name } });
  }

  function build(name: string) {
    return engine.build(imageSpec(name), () => {}, SIGNAL);
  }

  function tagOf({ appId, number }: ReleaseSpec): string {
    return imageTag(bench.deps, appId, number);
  }

  /** Publishes an image that serves this text; returns its digest. */
  async function publish(text: string): Promise<string> {
    return await registry.publish({
      name: 'team/shop:latest',
      files: { 'site/index.html': `${text}\n` },
      settings: { Cmd: ['sh', '-c', 'exec httpd -f -p $PORT -h /site'] },
    });
  }
});

async function textOf({ address }: Instance): Promise<string> {
  const response = await fetch(`http://${address.host}:${address.port}/`);
  return await response.text();
}
