import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type FetchedCode, type FetchOptions, fetchSource } from '../../src/build/fetch-source.ts';
import { LOCAL_GIT_CONFIG } from '../../src/engines/local-git-config.ts';
import { resolveHost } from '../../src/outbound/resolve-host.ts';
import { findConfinementTools } from '../../src/processes/confine.ts';
import type { ControlGroups } from '../../src/processes/control-groups/control-groups.ts';
import { openTestSandbox } from '../sandbox/open-test-sandbox.ts';

/** Fetches sources, as an engine does for an app. */
export type FetchBench = {
  /** A temporary folder. */
  root: string;
  /** Local sources in it are refused. */
  dataDir: string;
  /** Lines of the build log. */
  lines: string[];
  /** Returns the commit, the missing submodules and the folder of the checkout. */
  fetch(url: string, changes?: Partial<FetchOptions>): Promise<FetchedCode & { folder: string }>;
  /** The highest memory usage of git in the sandbox so far; 0 without one. */
  peakBytes(): number;
  close(): Promise<void>;
};

const isRoot = process.getuid?.() === 0;

/** The user of the app. */
export const APP = isRoot ? { uid: 2_000_000_001, gid: 2_000_000_001 } : undefined;

/** The ways to run git that this machine supports. */
export const GIT_MODES = isRoot
  ? (['in the sandbox', 'without a sandbox'] as const)
  : (['without a sandbox'] as const);
export type GitMode = (typeof GIT_MODES)[number];

export async function createFetchBench(mode: GitMode): Promise<FetchBench> {
  const root = await mkdtemp(join(tmpdir(), 'longshore-fetch-'));
  await chmod(root, 0o777);
  const dataDir = join(root, 'data');
  const localGitConfig = join(root, 'gitconfig');
  await writeFile(localGitConfig, LOCAL_GIT_CONFIG);
  const opened = mode === 'in the sandbox' ? await openTestSandbox(root) : undefined;
  const lines: string[] = [];
  const { signal } = new AbortController();

  return {
    root,
    dataDir,
    lines,
    async fetch(url, changes) {
      const folder = join(await mkdtemp(join(root, 'app-')), 'source');
      await chmod(dirname(folder), 0o777);
      const options: FetchOptions = {
        appId: 'app',
        sandbox: opened?.sandbox,
        group: 'git-test',
        folder,
        home: root,
        identity: APP,
        sourcePolicy: { allowLocalSources: true, resolve: resolveHost, dataDir },
        credential: undefined,
        confinement: findConfinementTools(),
        localGitConfig,
        limits: { fetchMs: 60_000, checkoutBytes: 1024 ** 3, checkoutFiles: 10_000 },
        marks: {},
        isAppUser: () => false,
        writeLine: (line) => void lines.push(line),
        ...changes,
      };
      return { ...(await fetchSource({ url, ref: 'main' }, options, signal)), folder };
    },
    peakBytes: () => (opened === undefined ? 0 : readPeak(opened.groups)),
    async close() {
      await opened?.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Of the parent group, which exists longer than the groups of the commands. */
function readPeak(groups: ControlGroups): number {
  const files = groups
    .folders('any')
    .flatMap((folder) =>
      ['memory.peak', 'memory.max_usage_in_bytes'].map((file) => join(folder, '..', file)),
    )
    .filter((file) => existsSync(file));
  return Math.max(...files.map((file) => Number(readFileSync(file, 'utf8'))));
}
