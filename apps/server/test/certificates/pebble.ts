import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type CachedFolder, cachedFolderPath, openCachedFolder } from '../cached-folder.ts';
import { hasOpenssl, selfSigned } from './self-signed.ts';

const VERSION = 'v2.10.1';
const MODULE = 'github.com/letsencrypt/pebble/v2/cmd/pebble';
// biome-ignore lint/style/noProcessEnv: Go and its proxy are set up by the machine.
const ENV = process.env;
const PATH = `${ENV.PATH}:/usr/local/go/bin`;

const PROGRAM: CachedFolder = {
  name: 'pebble',
  key: `${VERSION}-${process.arch}`,
  async fill(folder) {
    const env = { ...ENV, PATH, CGO_ENABLED: '0', GOFLAGS: '', GOBIN: folder };
    // With `nice`, because tests that run at the same time have deadlines.
    const argv = ['go', 'install', '-trimpath', `${MODULE}@${VERSION}`];
    await promisify(execFile)('nice', argv, { cwd: folder, env });
  },
};

/** Whether Pebble is compiled, or can be. */
export const hasPebble =
  hasOpenssl &&
  (existsSync(cachedFolderPath(PROGRAM)) ||
    PATH.split(':').some((folder) => existsSync(join(folder, 'go'))));

export type PebbleOptions = {
  /** Where it validates challenges. */
  httpPort: number;
  /** The name server that it asks. */
  dnsServer: string;
  /** How many of 100 good nonces it rejects. */
  nonceRejections?: number;
  validitySeconds?: number;
  /** Accounts need a binding with one of these keys. */
  bindingKeys?: Record<string, string>;
  /** Seconds before a challenge is validated. */
  delaySeconds?: number;
};

/** The certificate authority of Let's Encrypt for tests. It forgets everything when it stops. */
export type Pebble = {
  directory: string;
  /** PEM of the authority that signed its own certificate. */
  ca: string;
  /** PEM of the root of the certificates that it issues. */
  root(): Promise<string>;
  /** What it has printed. */
  output(): string;
  stop(): Promise<void>;
};

/** Compiles Pebble from Go's module proxy, once per machine: takes half a minute. */
export async function preparePebble(): Promise<void> {
  await openCachedFolder(PROGRAM);
}

export async function startPebble(options: PebbleOptions): Promise<Pebble> {
  const program = join(await openCachedFolder(PROGRAM), 'pebble');
  const folder = await mkdtemp(join(tmpdir(), 'longshore-pebble-'));
  const { cert, key } = await selfSigned(['127.0.0.1', 'localhost']);
  const [port, managementPort] = [await freePort(), await freePort()];
  const { bindingKeys, validitySeconds = 7_776_000, delaySeconds } = options;
  const config = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: join(folder, 'cert.pem'),
    privateKey: join(folder, 'key.pem'),
    httpPort: options.httpPort,
    tlsPort: 1,
    externalAccountBindingRequired: bindingKeys !== undefined,
    externalAccountMACKeys: bindingKeys ?? {},
    // It creates three keys when it starts, which takes a second with its default, RSA.
    keyAlgorithm: 'ecdsa',
    domainBlocklist: ['blocked.longshore-shop.com'],
    retryAfter: { authz: 1, order: 1 },
    profiles: { default: { description: 'default', validityPeriod: validitySeconds } },
  };
  await writeFile(join(folder, 'cert.pem'), cert);
  await writeFile(join(folder, 'key.pem'), key);
  await writeFile(join(folder, 'config.json'), JSON.stringify({ pebble: config }));
  const child = spawn(
    program,
    ['-config', join(folder, 'config.json'), '-dnsserver', options.dnsServer],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH,
        PEBBLE_WFE_NONCEREJECT: String(options.nonceRejections ?? 0),
        // Without it, a new order may need no challenge.
        PEBBLE_AUTHZREUSE: '0',
        ...(delaySeconds === undefined
          ? { PEBBLE_VA_NOSLEEP: '1' }
          : { PEBBLE_VA_SLEEPTIME: String(delaySeconds) }),
      },
    },
  );
  let output = '';
  const listening = Promise.withResolvers<void>();
  const read = (chunk: Buffer) => {
    output += chunk;
    if (output.includes('ACME directory available')) listening.resolve();
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.once('exit', () => listening.reject(new Error(`Pebble did not start:\n${output}`)));
  await listening.promise;
  return {
    directory: `https://127.0.0.1:${port}/dir`,
    ca: cert,
    root: () => get(`https://127.0.0.1:${managementPort}/roots/0`, cert),
    output: () => output,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      await rm(folder, { recursive: true });
    },
  };
}

function get(url: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request(url, { ca, agent: false }, async (response) => {
      resolve((await response.toArray()).join(''));
    })
      .on('error', reject)
      .end();
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
