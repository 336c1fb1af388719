import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { DockerDeps } from './deps.ts';
import { writeLayers } from './layer-records.ts';
import { imageTag } from './ownership.ts';
import { createUsedBytes } from './used-bytes.ts';

const OWNER = { installation: randomUUID() };
const [SHOP, BLOG, OTHER] = [randomUUID(), randomUUID(), randomUUID()];
const { signal } = new AbortController();

/** A Docker Engine with images and no containers. */
async function dockerWith(tags: string[][]) {
  const dataDir = await mkdtemp(join(tmpdir(), 'longshore-used-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const calls: string[] = [];
  const docker = {
    async call(_: string, path: string) {
      calls.push(path);
      return path === '/images/json' ? tags.map((RepoTags) => ({ RepoTags })) : [];
    },
  };
  const now = { ms: 0 };
  const deps = {
    docker,
    dataDir,
    owner: OWNER,
    clock: { now: () => now.ms },
    builders: { usedBytes: async (ownerId: string) => (ownerId === 'ada' ? 1_000 : 0) },
  } as unknown as DockerDeps;
  return { deps, calls, now };
}

it('counts the layers of an owner once, and images of earlier versions not at all', async () => {
  const tag = (appId: string, number: number) => imageTag(OWNER, appId, number);
  const { deps } = await dockerWith([
    [tag(SHOP, 1), tag(SHOP, 2)],
    [tag(SHOP, 3), tag(BLOG, 1)],
    [tag(BLOG, 2)],
    [tag(OTHER, 1)],
  ]);
  const base = { diffId: 'base', bytes: 100 };
  const old = [base, { diffId: 'old', bytes: 5 }];
  await writeLayers({ appId: SHOP, number: 1 }, old, deps);
  await writeLayers({ appId: SHOP, number: 2 }, old, deps);
  await writeLayers({ appId: BLOG, number: 1 }, [base, { diffId: 'new', bytes: 7 }], deps);
  await writeLayers({ appId: OTHER, number: 1 }, [{ diffId: 'other', bytes: 900 }], deps);
  // Its image no longer exists.
  await writeLayers({ appId: BLOG, number: 9 }, [{ diffId: 'gone', bytes: 900 }], deps);
  const usedBytes = createUsedBytes(deps);
  expect(await usedBytes({ ownerId: 'ada', appIds: [SHOP, BLOG] }, signal)).toBe(1_112);
  expect(await usedBytes({ ownerId: 'eve', appIds: [] }, signal)).toBe(0);
});

it('measures the containers of an app at most once a minute', async () => {
  const { deps, calls, now } = await dockerWith([]);
  const usedBytes = createUsedBytes(deps);
  const measurements = () => calls.filter((path) => path === '/containers/json').length;
  const ask = () => usedBytes({ ownerId: 'ada', appIds: [SHOP] }, signal);
  await Promise.all([ask(), ask(), ask()]);
  now.ms = 60_000;
  await ask();
  expect(measurements()).toBe(1);
  now.ms = 60_001;
  await ask();
  expect(measurements()).toBe(2);
});
