import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { eventually } from '@longshore/testkit';

const SSHD = '/usr/sbin/sshd';
const [GIT_UID, GIT_GID] = [65_533, 65_534];

/** Needs root and the programs that `npm test` installs. Where tests must not be skipped, they fail instead. */
export const canRunSshd = process.getuid?.() === 0 && existsSync(SSHD);

/** An OpenSSH server whose user `git` serves the repositories of a folder. */
export type SshServer = {
  /** As `type base64`. */
  hostKey(): Promise<string>;
  allow(publicKey: string): void;
  forbid(publicKey: string): void;
  /** Changes the host key, as after a reinstallation or in a man-in-the-middle attack. */
  changeHostKey(): Promise<void>;
  stop(): Promise<void>;
};

type SshServerOptions = { ip: string; port: number; folder: string; repositories: string };

export async function startSshServer(options: SshServerOptions): Promise<SshServer> {
  const { folder } = options;
  const paths = {
    config: join(folder, 'sshd_config'),
    hostKey: join(folder, 'host_key'),
    keys: join(folder, 'authorized_keys'),
    passwd: join(folder, 'passwd'),
    serve: join(folder, 'serve'),
  };
  // The chroot folder of the unprivileged sshd process, which the system service creates otherwise.
  await mkdir('/run/sshd', { recursive: true, mode: 0o755 });
  await writeFile(paths.config, configOf(options, paths));
  await writeFile(paths.keys, '', { mode: 0o644 });
  await writeFile(paths.serve, SERVE);
  await chmod(paths.serve, 0o755);
  await writeFile(paths.passwd, `${await readFile('/etc/passwd', 'utf8')}${accountOf(options)}`);
  await makeHostKey(paths.hostKey);
  let child = await start(options, paths);

  return {
    hostKey: async () => withoutComment(await readFile(`${paths.hostKey}.pub`, 'utf8')),
    allow: (publicKey) => appendFileSync(paths.keys, `${publicKey}\n`),
    forbid(publicKey) {
      const lines = readFileSync(paths.keys, 'utf8').split('\n');
      writeFileSync(paths.keys, lines.filter((line) => line !== publicKey).join('\n'));
    },
    async changeHostKey() {
      await stopChild(child);
      await makeHostKey(paths.hostKey);
      child = await start(options, paths);
    },
    stop: () => stopChild(child),
  };
}

/** Runs in a separate mount namespace with one additional account. */
async function start(
  { ip, port }: SshServerOptions,
  { passwd, config }: { passwd: string; config: string },
): Promise<ChildProcess> {
  const script = 'mount --bind "$1" /etc/passwd && exec "$2" -D -e -f "$3"';
  const child = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', passwd, SSHD, config], {
    stdio: 'ignore',
  });
  await eventually(() => isListening(ip, port), 'the SSH server');
  return child;
}

function configOf(
  { ip, port }: SshServerOptions,
  { hostKey, keys, serve }: { hostKey: string; keys: string; serve: string },
): string {
  return [
    `ListenAddress ${ip}:${port}`,
    `HostKey ${hostKey}`,
    `AuthorizedKeysFile ${keys}`,
    `ForceCommand ${serve}`,
    'AllowUsers git',
    'AuthenticationMethods publickey',
    'PidFile none',
    'StrictModes no',
    'UsePAM no',
    '',
  ].join('\n');
}

function accountOf({ repositories }: SshServerOptions): string {
  return `git:*:${GIT_UID}:${GIT_GID}::${repositories}:/bin/sh\n`;
}

/** Paths in ssh:// URLs begin with a slash. It is removed, because repositories are relative to the home of the user. */
const SERVE = `#!/bin/sh
exec git-shell -c "$(printf %s "$SSH_ORIGINAL_COMMAND" | sed "s#'/#'#")"
`;

async function makeHostKey(path: string): Promise<void> {
  await rm(path, { force: true });
  const keygen = spawn('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path], {
    stdio: 'ignore',
  });
  await once(keygen, 'exit');
}

function withoutComment(publicKey: string): string {
  return publicKey.split(' ').slice(0, 2).join(' ');
}

function isListening(ip: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, ip, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}
