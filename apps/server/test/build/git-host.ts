import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findFreePort } from '../../src/engines/free-port.ts';
import { run } from '../../src/processes/run.ts';
import { serveGit } from './git-over-http.ts';
import { type SshServer, startSshServer } from './ssh-server.ts';

export { canRunSshd } from './ssh-server.ts';

/** Texts of files, and commits of submodules. */
export type PushedFiles = Record<string, string | { commit: string }>;

/** Private repositories, served by real programs over ssh and http. */
export type GitHost = {
  ip: string;
  sshPort: number;
  httpPort: number;
  ssh: SshServer;
  /** Handles git requests over http, for servers that share the address. */
  answer: RequestListener;
  /** Called while git waits for an http response. */
  onRequest: (() => void) | undefined;
  /** Adds a repository, or a commit to it; returns the commit. */
  push(name: string, files: PushedFiles, options?: PushOptions): Promise<string>;
  /** Of the last commit: a letter for what happened, and the file. */
  changes(name: string): Promise<{ kind: string; file: string }[]>;
  sshUrl(name: string): string;
  httpUrl(name: string): string;
  stop(): Promise<void>;
};

export type PushOptions = { branch?: string; message?: string };

const IP = '127.0.0.1';
const GIT_ENV = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
};

/** `mayRead`: whether git may be read over http with this token and any user name. */
export async function startGitHost({
  mayRead,
}: {
  mayRead(token: string): boolean;
}): Promise<GitHost> {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-git-host-'));
  await chmod(folder, 0o755);
  const repositories = join(folder, 'repositories');
  await mkdir(repositories);
  const sshPort = await findFreePort(new Set());
  const ssh = await startSshServer({ ip: IP, port: sshPort, folder, repositories });
  const answer: RequestListener = (request, response) => {
    host.onRequest?.();
    if (mayRead(passwordOf(request))) return serveGit(request, response, repositories);
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
  };
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, IP, resolve));
  const { port: httpPort } = server.address() as AddressInfo;

  const host: GitHost = {
    ip: IP,
    sshPort,
    httpPort,
    ssh,
    answer,
    onRequest: undefined,
    push: (name, files, { branch = 'main', message = 'A change' } = {}) =>
      push({ folder, repositories, name, files, branch, message }),
    async changes(name) {
      const compare = ['diff-tree', '--root', '--no-commit-id', '--name-status', '-r', 'HEAD'];
      const lines = await git(join(folder, 'checkouts', name), ...compare);
      return lines.map((line) => ({ kind: line.slice(0, 1), file: line.slice(2) }));
    },
    sshUrl: (name) => `ssh://git@${IP}:${sshPort}/${name}.git`,
    httpUrl: (name) => `http://${IP}:${httpPort}/${name}.git`,
    async stop() {
      await ssh.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
  return host;
}

function passwordOf({ headers }: IncomingMessage): string {
  const [, basic = ''] = (headers.authorization ?? '').split('Basic ');
  const text = Buffer.from(basic, 'base64').toString();
  return text.slice(text.indexOf(':') + 1);
}

type Push = {
  folder: string;
  repositories: string;
  name: string;
  files: PushedFiles;
} & Required<PushOptions>;

/** Keeps the checkout, so that the next push adds a commit. */
async function push({ folder, repositories, name, files, branch, message }: Push): Promise<string> {
  const bare = join(repositories, `${name}.git`);
  const checkout = join(folder, 'checkouts', name);
  const isNew = await mkdir(checkout, { recursive: true });
  if (isNew !== undefined) {
    await git('/', 'init', '--quiet', '--bare', `--initial-branch=${branch}`, bare);
    await git(checkout, 'init', '--quiet', `--initial-branch=${branch}`);
  }
  const submodules: [path: string, commit: string][] = [];
  for (const [file, text] of Object.entries(files)) {
    if (typeof text !== 'string') {
      submodules.push([file, text.commit]);
      continue;
    }
    await mkdir(dirname(join(checkout, file)), { recursive: true });
    await writeFile(join(checkout, file), text);
  }
  await git(checkout, 'checkout', '--quiet', '-B', branch);
  await git(checkout, 'add', '--all');
  for (const [path, commit] of submodules) {
    await git(checkout, 'update-index', '--add', '--cacheinfo', `160000,${commit},${path}`);
  }
  await git(checkout, 'commit', '--quiet', '--allow-empty', '--message', message);
  // Git accepts pushes only into repositories of its own user.
  await changeOwner(repositories, '0:0');
  await git(checkout, 'push', '--quiet', '--force', bare, `HEAD:refs/heads/${branch}`);
  await changeOwner(repositories, '65533:65534');
  const [commit = ''] = await git(checkout, 'rev-parse', 'HEAD');
  return commit;
}

async function changeOwner(folder: string, owner: string): Promise<void> {
  const command = { argv: ['chown', '-R', owner, folder] as const, cwd: '/', env: GIT_ENV };
  await run(command, { signal: new AbortController().signal, timeoutMs: 20_000 });
}

async function git(folder: string, ...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  const argv = ['git', ...args] as const;
  const end = await run(
    { argv, cwd: folder, env: GIT_ENV },
    {
      signal: new AbortController().signal,
      timeoutMs: 20_000,
      onLine: (line) => void lines.push(line),
    },
  );
  if (end.kind !== 'exited' || end.code !== 0) throw new Error(lines.join('\n'));
  return lines;
}
