import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../../src/engines/free-port.ts';
import { Secret } from '../../src/secrets/secret.ts';
import type { S3Settings } from '../../src/storage/s3-store.ts';
import { type CachedFolder, cachedFolderPath, openCachedFolder } from '../cached-folder.ts';

const VERSION = 'v1.8.0';
const MODULE = 'github.com/versity/versitygw/cmd/versitygw';
// biome-ignore lint/style/noProcessEnv: Go and its proxy are set up by the machine.
const ENV = process.env;
const PATH = `${ENV.PATH}:/usr/local/go/bin`;
const BUCKET = 'longshore';
const [ACCESS_KEY_ID, SECRET_ACCESS_KEY] = ['harbour', 'a-secret-of-the-harbour'];

const PROGRAM: CachedFolder = {
  name: 'versitygw',
  key: `${VERSION}-${process.arch}`,
  async fill(folder) {
    const env = { ...ENV, PATH, CGO_ENABLED: '0', GOFLAGS: '', GOBIN: folder };
    // With `nice`, because tests that run at the same time have deadlines.
    const argv = ['go', 'install', '-trimpath', `${MODULE}@${VERSION}`];
    await promisify(execFile)('nice', argv, { cwd: folder, env });
  },
};

/** Whether the server is compiled, or can be. */
export const hasS3Server =
  existsSync(cachedFolderPath(PROGRAM)) ||
  PATH.split(':').some((folder) => existsSync(join(folder, 'go')));

/** A real object store with a bucket. It has its own folder. */
export type S3Server = {
  settings: S3Settings;
  /** Names in the bucket, and of uploads that are not finished. */
  names(): Promise<string[]>;
  stop(): Promise<void>;
};

/** Compiles it from Go's module proxy, once per machine: takes two minutes. `host`: an address of this machine. */
export async function startS3Server({ host = '127.0.0.1' } = {}): Promise<S3Server> {
  const program = join(await openCachedFolder(PROGRAM), 'versitygw');
  const folder = await mkdtemp(join(tmpdir(), 'longshore-s3-'));
  await mkdir(join(folder, BUCKET));
  const port = await findFreePort(new Set());
  const child = spawn(program, ['--port', `${host}:${port}`, '--quiet', 'posix', folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, ROOT_ACCESS_KEY: ACCESS_KEY_ID, ROOT_SECRET_KEY: SECRET_ACCESS_KEY },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  }
  const endpoint = `http://${host}:${port}`;
  while (!(await answers(endpoint))) {
    if (child.exitCode !== null) throw new Error(`The object store did not start:\n${output}`);
  }
  return {
    settings: {
      endpoint,
      bucket: BUCKET,
      region: 'us-east-1',
      accessKeyId: ACCESS_KEY_ID,
      secretAccessKey: new Secret(SECRET_ACCESS_KEY),
      prefix: 'test/',
    },
    async names() {
      const entries = await readdir(join(folder, BUCKET), { recursive: true, withFileTypes: true });
      return entries.filter((it) => it.isFile()).map((it) => join(it.parentPath, it.name));
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answers(endpoint: string): Promise<boolean> {
  const response = await fetch(endpoint, { signal: AbortSignal.timeout(5_000) }).catch(() => {});
  await response?.body?.cancel();
  return response !== undefined;
}
