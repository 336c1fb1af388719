import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Instance, ReleaseSpec } from '../../../src/engines/engine.ts';
import type { EngineLimits, ProcessEngineDeps } from '../../../src/engines/process/deps.ts';
import { createProcessEngine, type ProcessEngine } from '../../../src/engines/process/engine.ts';
import { run } from '../../../src/processes/run.ts';
import {
  type OpenSandbox,
  openSandbox,
  type SandboxOptions,
} from '../../../src/sandbox/open-sandbox.ts';
import { DEFAULT_SIZE } from '../../tiers.ts';
import { engineDeps } from './engine-deps.ts';
import { hostPid } from './host-pid.ts';

/** Process engines with a temporary data directory, real git repositories, and the log lines of the engines. */
export type EngineBench = {
  dataDir: string;
  deps: ProcessEngineDeps;
  /** Lines as `[name]: text`. */
  lines: string[];
  engine(changes?: Partial<ProcessEngineDeps>): Promise<ProcessEngine>;
  spec(url: string, changes?: Partial<ReleaseSpec>): ReleaseSpec;
  repository(files: Record<string, string>, branch?: string): Promise<string>;
  git(folder: string, ...args: string[]): Promise<string[]>;
  /** The pid on the machine of the first process of an instance, or of the one that the app itself knows by this pid. */
  pidOf(spec: ReleaseSpec, instance: Instance, seenAs?: number): Promise<number>;
  /** Removes every app and every file. */
  clear(): Promise<void>;
};

const LIMITS: Partial<EngineLimits> = { listenTimeoutMs: 20_000, graceMs: 2_000, buildMs: 60_000 };
const GIT_ENV = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
};

export async function createEngineBench(): Promise<EngineBench> {
  // Only the owner can read the folder of the repositories, as on a developer's machine.
  const root = await mkdtemp(join(tmpdir(), 'longshore-engine-'));
  const dataDir = await mkdtemp(join(tmpdir(), 'longshore-home-'));
  await chmod(dataDir, 0o711);
  const lines: string[] = [];
  const onLine = (text: string, name: string) => void lines.push(`[${name}]: ${text}`);
  const deps: ProcessEngineDeps = { ...(await engineDeps(dataDir, onLine)), limits: LIMITS };
  const engines: ProcessEngine[] = [];
  const ownerId = randomUUID();

  async function git(folder: string, ...args: string[]): Promise<string[]> {
    const output: string[] = [];
    const options = {
      signal: new AbortController().signal,
      timeoutMs: 20_000,
      onLine: (line: string) => output.push(line),
    };
    const end = await run({ argv: ['git', ...args], cwd: folder, env: GIT_ENV }, options);
    if (end.kind !== 'exited' || end.code !== 0) throw new Error(output.join('\n'));
    return output;
  }

  async function engine(changes: Partial<ProcessEngineDeps> = {}): Promise<ProcessEngine> {
    const created = await createProcessEngine({ ...deps, ...changes });
    engines.push(created);
    return created;
  }

  return {
    dataDir,
    deps,
    lines,
    engine,
    git,
    spec: (url, changes) => ({
      appId: randomUUID(),
      ownerId,
      projectId: randomUUID(),
      name: 'fixture',
      number: 1,
      origin: { kind: 'git', url, ref: 'main' },
      env: {},
      ports: [{ number: 3000, expose: true }],
      size: DEFAULT_SIZE,
      ...changes,
    }),
    async pidOf({ appId }, { id }, seenAs) {
      const path = join(dataDir, 'records', appId, 'instances', id, 'record.json');
      const { pid } = JSON.parse(await readFile(path, 'utf8')).process as { pid: number };
      return seenAs === undefined ? pid : hostPid(seenAs, pid);
    },
    async repository(files, branch = 'main') {
      const folder = await mkdtemp(join(root, 'repository-'));
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), text);
      }
      await git(folder, 'init', '--quiet', '--initial-branch', branch);
      await git(folder, 'add', '--all');
      await git(folder, 'commit', '--quiet', '--message', 'First', '--allow-empty');
      return pathToFileURL(folder).href;
    },
    async clear() {
      await Promise.all(engines.map((created) => created.close()));
      const last = await createProcessEngine(deps);
      const signal = new AbortController().signal;
      const appIds = await last.listApps(signal);
      await Promise.all(appIds.map((appId) => last.removeApp(appId, signal)));
      await last.close();
      await rm(root, { recursive: true, force: true });
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** For an engine that limits apps and gives them users of their own, but does not isolate them. */
export async function withoutIsolation(options: SandboxOptions): Promise<OpenSandbox> {
  return { ...(await openSandbox(options)), isolated: undefined };
}

/** A Node app that responds to every request with the value of the expression as JSON. */
export function nodeApp(expression = '"hello"', script = 'node server.js'): Record<string, string> {
  return {
    'package.json': JSON.stringify({
      name: 'fixture',
      version: '1.2.3',
      scripts: { start: script },
    }),
    'server.js': `require('node:http').createServer(async (request, response) => {
  response.end(JSON.stringify(await (${expression})));
}).listen(process.env.PORT, () => console.log('listening'));
`,
  };
}
