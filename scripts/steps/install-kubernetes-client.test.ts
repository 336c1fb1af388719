import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { installKubernetesClient } from './install-kubernetes-client.mjs';

const NAME = 'node_modules/@kubernetes/client-node';
const KUBERNETES = { LONGSHORE_ENGINE: 'kubernetes' };
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-client-'));
  const lock = { packages: { [NAME]: { version: '2.0.1' } } };
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
});
afterEach(() => rm(folder, { recursive: true }));

async function installed(environment: Record<string, string>, exitCode = 0): Promise<string[]> {
  const runs: string[] = [];
  await installKubernetesClient({
    environment,
    folder,
    step: async (_: string, work: (options: object) => Promise<void>) => await work({}),
    async run(argv: readonly string[]) {
      runs.push(argv.join(' '));
      return exitCode;
    },
  });
  return runs;
}

it.each([{}, { LONGSHORE_ENGINE: 'auto' }, { LONGSHORE_ENGINE: 'docker' }])(
  'installs nothing for other engines: %o',
  async (environment) => {
    expect(await installed(environment)).toEqual([]);
  },
);

it('installs the client for the Kubernetes engine, and again when its version has changed', async () => {
  expect(await installed(KUBERNETES)).toEqual([expect.stringContaining(' ci ')]);
  await mkdir(join(folder, NAME), { recursive: true });
  const write = (version: string) =>
    writeFile(join(folder, NAME, 'package.json'), JSON.stringify({ version }));
  await write('2.0.1');
  expect(await installed(KUBERNETES)).toEqual([]);
  await write('2.0.0');
  expect(await installed(KUBERNETES)).toHaveLength(1);
});

it('stops the start when it cannot be installed', async () => {
  await expect(installed(KUBERNETES, 1)).rejects.toThrow('client for Kubernetes failed');
});
