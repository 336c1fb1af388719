import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@longshore/testkit';
import { openBuildKitPrograms } from '../engines/docker/buildkit-programs.ts';

/** A real buildkitd without a container, for tests that run no build step. */
export type Buildkitd = {
  /** Why the build failed, in BuildKit's words; undefined if it succeeded. */
  build(dockerfile: string, registryAuth?: string): Promise<string | undefined>;
  /** What buildkitd says about its configuration. */
  workers(): Promise<string>;
  stop(): Promise<void>;
};

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** In a mount namespace of its own, so that nothing stays mounted. */
export async function startBuildkitd(config: string): Promise<Buildkitd> {
  const programs = await openBuildKitPrograms((line) => process.stdout.write(`${line}\n`));
  const folder = await mkdtemp(join(tmpdir(), 'longshore-buildkitd-'));
  const address = `unix://${join(folder, 'socket')}`;
  await writeFile(join(folder, 'buildkitd.toml'), config);
  const options = ['--config', join(folder, 'buildkitd.toml'), '--addr', address];
  const argv = ['--mount', join(programs, 'buildkitd'), ...options, '--root', join(folder, 'root')];
  const child: ChildProcess = spawn('unshare', argv, { stdio: 'ignore', env: { PATH } });

  async function buildctl(args: string[], env: Record<string, string> = {}): Promise<string> {
    const { stdout } = await promisify(execFile)(
      join(programs, 'buildctl'),
      ['--addr', address, ...args],
      { env: { PATH, DOCKER_CONFIG: join(folder, 'docker'), ...env }, timeout: 60_000 },
    );
    return stdout;
  }

  await eventually(() => buildctl(['debug', 'workers']), 'buildkitd');
  return {
    async build(dockerfile, registryAuth) {
      const context = join(folder, 'context');
      await mkdir(context, { recursive: true });
      await writeFile(join(context, 'Dockerfile'), dockerfile);
      const locals = ['context', 'dockerfile'].map((name) => `--local=${name}=${context}`);
      const output = '--output=type=oci,dest=/dev/null';
      const args = ['build', '--progress=rawjson', '--frontend=dockerfile.v0', ...locals, output];
      const env = registryAuth === undefined ? {} : { DOCKER_AUTH_CONFIG: registryAuth };
      const failure = await buildctl(args, env).then(
        () => undefined,
        ({ stderr }: { stderr: string }) => stderr,
      );
      return failure && (/^error: failed to solve: (.*)$/m.exec(failure)?.[1] ?? failure);
    },
    workers: () => buildctl(['debug', 'workers', '--verbose']),
    async stop() {
      const exit = once(child, 'exit');
      child.kill();
      await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
