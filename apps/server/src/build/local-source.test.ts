import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startSwapping } from '../../test/build/path-swapper.ts';
import type { EngineFailure } from '../engines/failure.ts';
import { LOCAL_GIT_CONFIG } from '../engines/local-git-config.ts';
import { resolveHost } from '../outbound/resolve-host.ts';
import { findConfinementTools } from '../processes/confine.ts';
import { run } from '../processes/run.ts';
import { type FetchOptions, fetchSource } from './fetch-source.ts';

const { signal } = new AbortController();
const APP = { uid: 2_000_000_002, gid: 2_000_000_002 };
const identity = process.getuid?.() === 0 ? APP : undefined;

let root: string;
let dataDir: string;
let localGitConfig: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'longshore-local-'));
  await chmod(root, 0o777);
  dataDir = join(root, 'data');
  localGitConfig = join(root, 'gitconfig');
  await writeFile(localGitConfig, LOCAL_GIT_CONFIG);
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function git(folder: string, ...args: string[]): Promise<void> {
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Test',
    GIT_AUTHOR_EMAIL: 'test@example.com',
    GIT_COMMITTER_NAME: 'Test',
    GIT_COMMITTER_EMAIL: 'test@example.com',
  };
  const argv = ['git', ...args] as const;
  const end = await run({ argv, cwd: folder, env }, { signal, timeoutMs: 20_000 });
  expect(end).toEqual({ kind: 'exited', code: 0 });
}

async function createRepository(path: string, file: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await git(path, 'init', '--quiet', '--initial-branch=main');
  await writeFile(join(path, file), 'text');
  await git(path, 'add', '--all');
  await git(path, 'commit', '--quiet', '--message=First');
}

async function fetchLocal(path: string, changes: Partial<FetchOptions> = {}): Promise<string> {
  const folder = join(await mkdtemp(join(root, 'app-')), 'source');
  await chmod(join(folder, '..'), 0o777);
  const options: FetchOptions = {
    sandbox: undefined,
    group: 'git-local',
    folder,
    home: root,
    identity,
    sourcePolicy: { allowLocalSources: true, resolve: resolveHost, dataDir },
    credential: undefined,
    confinement: findConfinementTools(),
    localGitConfig,
    limits: { fetchMs: 60_000, checkoutBytes: 1024 ** 3, checkoutFiles: 1_000 },
    marks: {},
    isAppUser: () => false,
    writeLine: () => {},
    ...changes,
  };
  await fetchSource({ url: `file://${path}`, ref: 'main' }, options, signal);
  return folder;
}

it('reads a repository that only its owner can reach', async () => {
  const path = join(root, 'private', 'repository');
  await createRepository(path, 'file');
  await chmod(join(root, 'private'), 0o700);
  expect(existsSync(join(await fetchLocal(path), 'file'))).toBe(true);
});

it('reads no other repository while folders and links are swapped', async () => {
  const folder = join(root, 'folder');
  await createRepository(join(folder, 'repository'), 'public');
  await createRepository(join(dataDir, 'apps', 'repository'), 'secret');
  const swapper = startSwapping(folder, join(dataDir, 'apps'));
  const reasons = new Set<string>();
  let reads = 0;
  try {
    for (let attempts = 0; attempts < 30 || reads === 0; attempts += 1) {
      const path = join(folder, 'repository');
      const checkout = await fetchLocal(path).catch(({ reason }: EngineFailure) => ({ reason }));
      if (typeof checkout === 'string') {
        expect(existsSync(join(checkout, 'secret'))).toBe(false);
        reads += 1;
      } else reasons.add(checkout.reason);
    }
  } finally {
    await swapper.stop();
  }
  expect(['source-not-allowed', 'repository-not-found']).toEqual(
    expect.arrayContaining([...reasons]),
  );
});

it('names the path of the repository in messages', async () => {
  const path = join(root, 'empty');
  await mkdir(path);
  await expect(fetchLocal(path)).rejects.toMatchObject({
    reason: 'repository-not-found',
    evidence: expect.arrayContaining([expect.stringContaining(`'${path}'`)]),
  });
});

it('does not follow a .git file to another repository', async () => {
  const [elsewhere, path] = [join(root, 'elsewhere'), join(root, 'worktree')];
  await createRepository(elsewhere, 'secret');
  await mkdir(path);
  await writeFile(join(path, '.git'), `gitdir: ${elsewhere}/.git\n`);
  await expect(fetchLocal(path)).rejects.toMatchObject({ reason: 'repository-not-found' });
});
