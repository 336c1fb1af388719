import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type FetchOptions, fetchSource } from '../../src/build/fetch-source.ts';
import { LOCAL_GIT_CONFIG } from '../../src/engines/local-git-config.ts';
import { resolveHost } from '../../src/outbound/resolve-host.ts';
import { findConfinementTools } from '../../src/processes/confine.ts';

/** Fetches sources, as an engine does for an app. */
export type FetchBench = {
  /** A temporary folder. */
  root: string;
  /** Local sources in it are refused. */
  dataDir: string;
  /** Lines of the build log. */
  lines: string[];
  /** Returns the commit and the folder of the checkout. */
  fetch(
    url: string,
    changes?: Partial<FetchOptions>,
  ): Promise<{ revision: string; folder: string }>;
  close(): Promise<void>;
};

const isRoot = process.getuid?.() === 0;

/** The user of the app. */
export const APP = isRoot ? { uid: 2_000_000_001, gid: 2_000_000_001 } : undefined;

/** The ways to run git that this machine supports. */
export const GIT_MODES = ['without a sandbox'] as const;
export type GitMode = (typeof GIT_MODES)[number];

export async function createFetchBench(_mode: GitMode): Promise<FetchBench> {
  const root = await mkdtemp(join(tmpdir(), 'longshore-fetch-'));
  await chmod(root, 0o777);
  const dataDir = join(root, 'data');
  const localGitConfig = join(root, 'gitconfig');
  await writeFile(localGitConfig, LOCAL_GIT_CONFIG);
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
        sandbox: undefined,
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
      return { revision: await fetchSource({ url, ref: 'main' }, options, signal), folder };
    },
    async close() {
      await rm(root, { recursive: true, force: true });
    },
  };
}
