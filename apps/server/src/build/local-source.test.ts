import { existsSync } from 'node:fs';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFetchBench, type FetchBench, GIT_MODES } from '../../test/build/fetch-bench.ts';
import { startSwapping } from '../../test/build/path-swapper.ts';
import type { EngineFailure } from '../engines/failure.ts';
import { run } from '../processes/run.ts';

async function git(folder: string, ...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Test',
    GIT_AUTHOR_EMAIL: 'test@example.com',
    GIT_COMMITTER_NAME: 'Test',
    GIT_COMMITTER_EMAIL: 'test@example.com',
  };
  const { signal } = new AbortController();
  const argv = ['git', ...args] as const;
  const onLine = (line: string) => void lines.push(line);
  const end = await run({ argv, cwd: folder, env }, { signal, timeoutMs: 20_000, onLine });
  expect(end).toEqual({ kind: 'exited', code: 0 });
  return lines;
}

async function createRepository(path: string, file: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await git(path, 'init', '--quiet', '--initial-branch=main');
  await writeFile(join(path, file), 'text');
  await git(path, 'add', '--all');
  await git(path, 'commit', '--quiet', '--message=First');
}

describe.each(GIT_MODES)('a local source, with git %s', (mode) => {
  let bench: FetchBench;
  beforeEach(async () => {
    bench = await createFetchBench(mode);
  });
  afterEach(() => bench.close());

  it('is read although only its owner can reach it', async () => {
    const path = join(bench.root, 'private', 'repository');
    await createRepository(path, 'file');
    await chmod(join(bench.root, 'private'), 0o700);
    const { folder } = await bench.fetch(`file://${path}`);
    expect(existsSync(join(folder, 'file'))).toBe(true);
  });

  it('is the checked one while folders and links are swapped', async () => {
    const folder = join(bench.root, 'folder');
    await createRepository(join(folder, 'repository'), 'public');
    await createRepository(join(bench.dataDir, 'repository'), 'secret');
    const swapper = startSwapping(folder, bench.dataDir);
    const reasons = new Set<string>();
    let reads = 0;
    try {
      for (let attempts = 0; attempts < 30 || reads === 0; attempts += 1) {
        const fetched = await bench
          .fetch(`file://${folder}/repository`)
          .catch(({ reason }: EngineFailure) => ({ reason }));
        if ('reason' in fetched) reasons.add(fetched.reason);
        else {
          expect(existsSync(join(fetched.folder, 'secret'))).toBe(false);
          reads += 1;
        }
      }
    } finally {
      await swapper.stop();
    }
    expect(['source-not-allowed', 'repository-not-found']).toEqual(
      expect.arrayContaining([...reasons]),
    );
  });

  it('is named in messages', async () => {
    const path = join(bench.root, 'empty');
    await mkdir(path);
    await expect(bench.fetch(`file://${path}`)).rejects.toMatchObject({
      reason: 'repository-not-found',
      evidence: expect.arrayContaining([expect.stringContaining(`'${path}'`)]),
    });
  });

  it('is not followed from a .git file to another repository', async () => {
    const [elsewhere, path] = [join(bench.root, 'elsewhere'), join(bench.root, 'worktree')];
    await createRepository(elsewhere, 'secret');
    await mkdir(path);
    await writeFile(join(path, '.git'), `gitdir: ${elsewhere}/.git\n`);
    await expect(bench.fetch(`file://${path}`)).rejects.toMatchObject({
      reason: 'repository-not-found',
    });
  });

  // Without a sandbox git follows both, with the rights of the fetching user.
  const sharing: [string, (git: string, objects: string) => unknown][] = [
    ['a link', (folder, objects) => symlink(objects, join(folder, 'objects'))],
    [
      'alternates',
      async (folder, objects) => {
        await mkdir(join(folder, 'objects', 'info'), { recursive: true });
        await writeFile(join(folder, 'objects', 'info', 'alternates'), `${objects}\n`);
      },
    ],
  ];
  const sandboxed = mode === 'in the sandbox' ? sharing : [];
  it.each(sandboxed)('is not followed to objects of another repository by %s', async (_, share) => {
    const [elsewhere, path] = [join(bench.dataDir, 'repository'), join(bench.root, 'own')];
    await createRepository(elsewhere, 'secret');
    await createRepository(path, 'own');
    await rm(join(path, '.git', 'objects'), { recursive: true });
    await share(join(path, '.git'), join(elsewhere, '.git', 'objects'));
    const [commit] = await git(elsewhere, 'rev-parse', 'HEAD');
    await writeFile(join(path, '.git', 'refs', 'heads', 'main'), `${commit}\n`);
    await expect(bench.fetch(`file://${path}`)).rejects.toMatchObject({
      reason: expect.stringMatching(/^repository-/),
    });
  });
});
