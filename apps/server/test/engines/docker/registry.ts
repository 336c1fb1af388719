import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@longshore/testkit';
import { hash } from 'bcryptjs';
import { findFreePort } from '../../../src/engines/free-port.ts';

/** An image registry on loopback, which Docker trusts without a certificate. */
export type Registry = { host: string; stop(): Promise<void> };

/** The account of a private registry. */
export const REGISTRY_USER = { username: 'somebody', password: 'registry-sentinel-4711' };

export async function startRegistry({ isPrivate = false } = {}): Promise<Registry> {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-registry-'));
  const host = `127.0.0.1:${await findFreePort(new Set())}`;
  const { username, password } = REGISTRY_USER;
  await writeFile(join(folder, 'users'), `${username}:${await hash(password, 4)}\n`);
  const config = {
    version: 0.1,
    storage: { filesystem: { rootdirectory: join(folder, 'images') } },
    http: { addr: host },
    ...(isPrivate ? { auth: { htpasswd: { realm: 'test', path: join(folder, 'users') } } } : {}),
  };
  // JSON is YAML.
  const path = join(folder, 'config.yml');
  await writeFile(path, JSON.stringify(config));
  const child: ChildProcess = spawn('docker-registry', ['serve', path], { stdio: 'ignore' });
  await eventually(async () => (await fetch(`http://${host}/v2/`)).status < 500, 'the registry');
  return {
    host,
    async stop() {
      const exit = once(child, 'exit');
      child.kill();
      await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
