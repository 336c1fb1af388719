import { expect, it } from 'vitest';
import { type Sandbox, type SandboxedCommand, SandboxFailed } from '../sandbox/sandbox.ts';
import type { FetchedSource } from './git-command.ts';
import { createGitRunner, type GitRights } from './git-runner.ts';
import type { LocalRepository } from './local-repository.ts';

const IDENTITY = { uid: 7, gid: 7 };
const PUBLIC: FetchedSource = {
  url: 'https://host.example/a',
  address: { kind: 'https', host: 'host.example', port: 443 },
  protocols: ['https'],
  pinned: ['140.82.121.4'],
  isPrivate: true,
};
const ACCESS = {
  env: { GIT_CONFIG_VALUE_0: 'Authorization: Basic sentinel' },
  folders: ['/tmp/longshore-agent'],
  hide: (line: string) => line,
  close: async () => {},
};

async function sandboxed(rights: Partial<GitRights>, isNetworkBlocked = false) {
  const commands: SandboxedCommand[] = [];
  await runVersion(rights, isNetworkBlocked, async (command) => {
    commands.push(command);
    return { kind: 'exited', code: 0 };
  });
  expect(commands).toHaveLength(1);
  return commands[0];
}

async function runVersion(
  rights: Partial<GitRights>,
  isNetworkBlocked: boolean,
  run: Sandbox['run'],
): Promise<void> {
  const git = createGitRunner(
    { identity: IDENTITY, folder: '/data/source', ...rights },
    {
      sandbox: { run } as Partial<Sandbox> as Sandbox,
      isNetworkBlocked,
      group: 'git-1',
      home: '/data/home',
      confinement: { hardLimits: { openFiles: 1_000, processes: 1_000 } },
      localGitConfig: '/data/gitconfig',
      limits: { checkoutBytes: 1 },
      marks: {},
    },
  );
  const { signal } = new AbortController();
  await git(['git', 'version'], { signal, timeoutMs: 1_000 });
}

const source = { ...PUBLIC, local: undefined };

it.each([
  ['none for commands without the source', {}, false, { kind: 'none' }],
  [
    'public addresses for a checked source',
    { source },
    false,
    { kind: 'isolated', projectId: undefined },
  ],
  [
    'that of the server for sources that the operator allowed',
    { source: { ...source, pinned: [] } },
    false,
    { kind: 'host' },
  ],
  ['that of the server if a firewall blocks others', { source }, true, { kind: 'host' }],
  ['none for commands without the source, whatever is blocked', {}, true, { kind: 'none' }],
])('the network is %s', async (_, rights, isBlocked, network) => {
  expect((await sandboxed(rights, isBlocked))?.network).toEqual(network);
});

it('sees the checkout, and the agent only while it fetches', async () => {
  const checkout = { source: '/data/source', target: '/data/source', isWritable: true };
  expect((await sandboxed({}))?.mounts).toEqual([checkout]);
  const [agent = ''] = ACCESS.folders;
  expect((await sandboxed({ source, access: ACCESS }))?.mounts).toEqual([
    checkout,
    { source: agent, target: agent, isWritable: false },
  ]);
});

it('has the token in its environment only, while it fetches', async () => {
  const fetching = await sandboxed({ source, access: ACCESS });
  expect(fetching?.env).toMatchObject(ACCESS.env);
  expect(fetching?.argv.join()).not.toContain('sentinel');
  expect(JSON.stringify(await sandboxed({}))).not.toContain('sentinel');
});

it('has limits of its own', async () => {
  expect(await sandboxed({})).toMatchObject({
    identity: IDENTITY,
    group: 'git-1',
    limits: { memoryBytes: 512 * 1024 ** 2, cpus: 1 },
  });
});

const LOCAL = {
  sandboxed: {
    url: 'file:///local-repository',
    mounts: [{ source: '/srv/repository', target: '/local-repository', isWritable: false }],
    wrap: (argv: SandboxedCommand['argv']) => argv,
  },
} as Partial<LocalRepository> as LocalRepository;
const MACHINE_FAILED = { reason: 'engine-failed' };

it.each([
  [
    'a repository that was moved',
    LOCAL,
    "bwrap: Can't find source path /srv/repository: No such file or directory",
    { reason: 'repository-not-found' },
  ],
  [
    'another missing folder',
    LOCAL,
    "bwrap: Can't find source path /data/source: No such file or directory",
    MACHINE_FAILED,
  ],
  ['a refusing machine', LOCAL, 'bwrap: setting up uid map: Permission denied', MACHINE_FAILED],
  ['a refusing machine', undefined, 'bwrap: setting up uid map: Permission denied', MACHINE_FAILED],
])('names why the sandbox does not start: %s', async (_, local, line, expected) => {
  const failing = runVersion({ source: { ...PUBLIC, local } }, false, async () => {
    throw new SandboxFailed([line]);
  });
  const evidence = ['git could not be started in its sandbox', line];
  await expect(failing).rejects.toMatchObject(
    expected === MACHINE_FAILED ? { ...expected, evidence } : { ...expected, evidence: [] },
  );
});
