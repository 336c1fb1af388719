import { expect, it } from 'vitest';
import type { UsedBuilder } from '../image-build/builders-port.ts';
import type { BuildOptions } from '../image-build/run-build.ts';
import type { DockerDeps } from './deps.ts';
import { DockerError } from './docker-error.ts';
import { runBuild } from './run-build.ts';

const { signal } = new AbortController();
const BUILD = {
  spec: { appId: 'shop', ownerId: 'ada', number: 1, origin: { kind: 'git' } },
  dockerfile: 'Dockerfile',
  context: (async function* () {})(),
  writeLine() {},
  writeExcerpt() {},
} as unknown as BuildOptions;

/** An engine that answers each start of a program in a builder with this error. */
function engineWith(error: Error): DockerDeps {
  const builder = { folder: '/builds', start: () => Promise.reject(error) };
  const use = (_: unknown, work: (used: UsedBuilder) => Promise<unknown>) =>
    work({ builder } as unknown as UsedBuilder);
  return {
    builders: { use },
    credentials: { forBaseImages: async () => ({ credentials: [], skipped: [] }) },
    limits: { buildMs: 60_000, imageBytes: 1, imageFiles: 1 },
    space: { watch: () => ({ signal, stop() {} }) },
  } as unknown as DockerDeps;
}

it('fails with disk-full if Docker has no space for a program in a builder', async () => {
  const deps = engineWith(new DockerError(500, 'mkdir /run/1: no space left on device'));
  await expect(runBuild(BUILD, deps, signal)).rejects.toMatchObject({ reason: 'disk-full' });
});

it('passes other errors of Docker on', async () => {
  const error = new DockerError(500, 'something else');
  await expect(runBuild(BUILD, engineWith(error), signal)).rejects.toBe(error);
});
