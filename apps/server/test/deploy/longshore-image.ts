import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@longshore/testkit';
import { copyProgram, copySystemFile, NODE_AND_NPM_IMAGE } from '../engines/docker/base-image.ts';
import { openBuildKitPrograms } from '../engines/docker/buildkit-programs.ts';
import type { Registry } from '../engines/docker/registry.ts';

type Target = Pick<Registry, 'host' | 'publish'>;

const ROOT = join(import.meta.dirname, '../../../..');
const BASE = 'node:24-slim';
/** The certificates that programs of this machine trust: npm may be behind a proxy. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
/** Every distribution has them; bundlers need them. */
const LIBRARIES = ['librt.so.1', 'libutil.so.1'];
/** Of the server, which fetches and unpacks source code. */
const PROGRAMS = ['env', 'git', 'tar', 'gzip']
  .map((name) => `/usr/bin/${name}`)
  .concat('/usr/lib/git-core/git-remote-http');
const SYSTEM_LIBRARIES = `/lib/${process.arch === 'x64' ? 'x86_64' : 'aarch64'}-linux-gnu`;
const OUTPUT_BYTES = 64 * 1024 ** 2;
const run = promisify(execFile);

/** Builds `deploy/Dockerfile` with BuildKit on this machine, and pushes the image. The base image is made of programs of this machine. */
export async function buildLongshoreImage(registry: Target, name: string): Promise<void> {
  await registry.publish({
    name: BASE,
    base: NODE_AND_NPM_IMAGE,
    settings: { Env: [`PATH=/usr/local/bin:/usr/bin:/bin`, `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`] },
    async fill(root) {
      await copySystemFile(root, CERTIFICATES);
      for (const name of LIBRARIES) await copySystemFile(root, join(SYSTEM_LIBRARIES, name));
      for (const program of PROGRAMS) await copyProgram(root, program);
    },
  });
  const { build, stop } = await startBuildKit(registry.host);
  try {
    await build([
      ...['--frontend', 'dockerfile.v0', '--local', `context=${ROOT}`],
      ...['--local', `dockerfile=${join(ROOT, 'deploy')}`, '--opt', 'filename=Dockerfile'],
      ...['--opt', `build-arg:NODE_IMAGE=${registry.host}/${BASE}`],
      // npm downloads packages.
      ...['--allow', 'network.host', '--opt', 'force-network-mode=host'],
      ...['--output', `type=image,name=${registry.host}/${name},push=true`],
    ]);
  } finally {
    await stop();
  }
}

async function startBuildKit(registryHost: string) {
  const programs = await openBuildKitPrograms(() => {});
  const folder = await mkdtemp(join(tmpdir(), 'longshore-buildkit-'));
  const config = join(folder, 'buildkitd.toml');
  const socket = join(folder, 'buildkitd.sock');
  await writeFile(config, `[registry."${registryHost}"]\n  http = true\n`);
  const daemon = spawn(
    join(programs, 'buildkitd'),
    [
      ...['--config', config, '--root', join(folder, 'root'), '--addr', `unix://${socket}`],
      ...['--containerd-worker=false', '--oci-worker-net=host'],
      ...['--allow-insecure-entitlement=network.host'],
    ],
    { stdio: 'ignore' },
  );
  const exit = once(daemon, 'exit');
  await eventually(async () => existsSync(socket), 'BuildKit');
  return {
    async build(args: string[]) {
      const argv = [`--addr=unix://${socket}`, 'build', '--progress=plain', ...args];
      await run(join(programs, 'buildctl'), argv, { maxBuffer: OUTPUT_BYTES });
    },
    async stop() {
      daemon.kill();
      await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
