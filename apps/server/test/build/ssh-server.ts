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
  /** Changes the host key, as after a reinstallation or with an impostor. */
  changeHostKey(): Promise<void>;
  stop(): Promise<void>;
};

type Place = { ip: string; port: number; folder: string; repositories: string };

export async function startSshServer(place: Place): Promise<SshServer> {
  const { folder } = place;
  const paths = {
    config: join(folder, 'sshd_config'),
    hostKey: join(folder, 'host_key'),
    keys: join(folder, 'authorized_keys'),
    passwd: join(folder, 'passwd'),
    serve: join(folder, 'serve'),
  };
  // Where sshd locks its unprivileged half in; the service of the system makes it otherwise.
  await mkdir('/run/sshd', { recursive: true, mode: 0o755 });
  await writeFile(paths.config, configOf(place, paths));
  await writeFile(paths.keys, '', { mode: 0o644 });
  await writeFile(paths.serve, SERVE);
  await chmod(paths.serve, 0o755);
  await writeFile(paths.passwd, `${await readFile('/etc/passwd', 'utf8')}${accountOf(place)}`);
  await makeHostKey(paths.hostKey);
  let child = await start(place, paths);

  return {
    hostKey: async () => withoutComment(await readFile(`${paths.hostKey}.pub`, 'utf8')),
    allow: (publicKey) => appendFileSync(paths.keys, `${publicKey}\n`),
    forbid(publicKey) {
      const kept = readFileSync(paths.keys, 'utf8').split('\n');
      writeFileSync(paths.keys, kept.filter((line) => line !== publicKey).join('\n'));
    },
    async changeHostKey() {
      await end(child);
      await makeHostKey(paths.hostKey);
      child = await start(place, paths);
    },
    stop: () => end(child),
  };
}

/** Runs in a separate mount namespace with one additional account. */
async function start(
  { ip, port }: Place,
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
  { ip, port }: Place,
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

function accountOf({ repositories }: Place): string {
  return `git:*:${GIT_UID}:${GIT_GID}::${repositories}:/bin/sh\n`;
}

/** Paths of addresses with a port begin with a slash; below the home of the user they lie all the same. */
const SERVE = `#!/bin/sh
exec git-shell -c "$(printf %s "$SSH_ORIGINAL_COMMAND" | sed "s#'/#'#")"
`;

async function makeHostKey(path: string): Promise<void> {
  await rm(path, { force: true });
  const made = spawn('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path], {
    stdio: 'ignore',
  });
  await once(made, 'exit');
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

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}
