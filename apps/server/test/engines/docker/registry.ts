import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readlink, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@longshore/testkit';
import { hash } from 'bcryptjs';
import { findFreePort } from '../../../src/engines/free-port.ts';
import { acquireMachineLock } from '../../machine-lock.ts';
import { SHELL_IMAGE } from './base-image.ts';
import {
  copyLayer,
  type ImageSettings,
  readImage,
  storeImage,
  storeLayer,
} from './registry-storage.ts';
import { BUILDER_IMAGE, certificateFiles, openTestImages, REMOTE_REGISTRY } from './test-images.ts';

/** An image registry. */
export type Registry = {
  host: string;
  /** Returns the digest of the image. */
  publish(image: PublishedImage): Promise<string>;
  stop(): Promise<void>;
};

export type PublishedImage = {
  /** Without a host, with a tag. */
  name: string;
  /** One of the test images; `scratch`: none. */
  base?: string;
  files?: Record<string, string | Buffer>;
  /** Creates more files below this folder. */
  fill?: (root: string) => Promise<void>;
  settings?: ImageSettings;
  architecture?: string;
};

/** The account of a private registry. */
export const REGISTRY_USER = { username: 'somebody', password: 'registry-sentinel-4711' };

/** `storage`: a folder with images that cannot be changed. */
type RegistryOptions = { isPrivate?: boolean; storage?: string };

/** With HTTP, by default on loopback, where Docker needs no certificate. */
export async function startRegistry({
  host: chosenHost,
  ...options
}: RegistryOptions & { host?: string } = {}): Promise<Registry> {
  const host = chosenHost ?? `127.0.0.1:${await findFreePort(new Set())}`;
  const registry = await serve({ ...options, http: { addr: host }, argv: [PROGRAM] });
  await eventually(async () => (await fetch(`http://${host}/v2/`)).status < 500, 'the registry');
  return { host, publish: registry.publish, stop: registry.stop };
}

/** Of a user: in a private network, with HTTPS, on another machine, which is a network namespace here. One at a time. */
export async function startRemoteRegistry(options: RegistryOptions = {}): Promise<Registry> {
  const releaseLock = await acquireMachineLock('remote-registry');
  const { certificate, key } = certificateFiles(await openTestImages());
  const { pid, ...registry } = await serve({
    ...options,
    http: { addr: `:${REMOTE.port}`, tls: { certificate, key } },
    argv: ['unshare', '--net', '--', PROGRAM],
  });
  await connectNamespace(pid);
  await eventually(() => canConnect(REMOTE), 'the registry');
  return {
    ...registry,
    host: `${REMOTE.host}:${REMOTE.port}`,
    async stop() {
      await registry.stop();
      await releaseLock();
    },
  };
}

const PROGRAM = 'docker-registry';
const REMOTE = { host: REMOTE_REGISTRY, port: 5000 };
const GATEWAY = '10.77.13.1';
const DEVICE = 'lsregistry';

/** Connects the network namespace of a process to this machine. It ends with the process. */
async function connectNamespace(pid: number): Promise<void> {
  const file = `/proc/${pid}/ns/net`;
  const own = await readlink('/proc/self/ns/net');
  await eventually(async () => (await readlink(file)) !== own, 'the network namespace');
  const ip = (...args: string[]) => promisify(execFile)('ip', args);
  const inside = (...args: string[]) =>
    promisify(execFile)('nsenter', [`--net=${file}`, '--', 'ip', ...args]);
  // The kernel removes the device of an ended process a moment later.
  await ip('link', 'delete', DEVICE).catch(() => {});
  await ip('link', 'add', DEVICE, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(pid));
  await ip('address', 'add', `${GATEWAY}/30`, 'dev', DEVICE);
  await ip('link', 'set', DEVICE, 'up');
  await inside('address', 'add', `${REMOTE.host}/30`, 'dev', 'eth0');
  await inside('link', 'set', 'eth0', 'up');
  await inside('route', 'add', 'default', 'via', GATEWAY);
}

async function canConnect(address: { host: string; port: number }): Promise<boolean> {
  const socket = connect(address);
  return await once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}

type Server = RegistryOptions & {
  http: { addr: string; tls?: { certificate: string; key: string } };
  argv: [program: string, ...args: string[]];
};

async function serve({ isPrivate = false, storage, http, argv }: Server) {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-registry-'));
  const images = storage ?? join(folder, 'images');
  const { username, password } = REGISTRY_USER;
  await writeFile(join(folder, 'users'), `${username}:${await hash(password, 4)}\n`);
  const config = {
    version: 0.1,
    storage: {
      filesystem: { rootdirectory: images },
      maintenance: { readonly: { enabled: storage !== undefined } },
    },
    http,
    ...(isPrivate ? { auth: { htpasswd: { realm: 'test', path: join(folder, 'users') } } } : {}),
  };
  // JSON is YAML.
  const path = join(folder, 'config.yml');
  await writeFile(path, JSON.stringify(config));
  const [program, ...args] = argv;
  const child: ChildProcess = spawn(program, [...args, 'serve', path], { stdio: 'ignore' });
  return {
    pid: child.pid ?? 0,
    publish: (image: PublishedImage) => publishImage(images, image),
    async stop() {
      const exit = once(child, 'exit');
      child.kill();
      await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Writes an image into the storage of a registry; returns its digest. */
export async function publishImage(storage: string, image: PublishedImage): Promise<string> {
  const { base = SHELL_IMAGE, files = {}, fill, settings, ...named } = image;
  const source = await openTestImages();
  const from = base === 'scratch' ? undefined : await readImage(source, `library/${base}`);
  for (const layer of from?.layers ?? []) await copyLayer(source, storage, layer);
  const own = await storeLayer(storage, async (root) => {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    }
    await fill?.(root);
  });
  return await storeImage(storage, {
    ...named,
    layers: [...(from?.layers ?? []), own],
    settings: { ...from?.settings, ...settings },
  });
}

/** A registry with the images that tests need, which a builder uses as the mirror of Docker Hub. */
export type TestImages = {
  host: string;
  /** The shell image, for containers of the operator. */
  shellImage: string;
  /** For `LONGSHORE_REGISTRY_MIRROR`. */
  mirror: string;
  /** For `LONGSHORE_BUILDER_IMAGE`. */
  builderImage: string;
  /** The file with the certificate of the remote registry. */
  certificate: string;
  stop(): Promise<void>;
};

export async function startTestImages(): Promise<TestImages> {
  const storage = await openTestImages();
  const { host, stop } = await startRegistry({ storage });
  return {
    host,
    shellImage: `${host}/library/${SHELL_IMAGE}`,
    mirror: `http://${host}`,
    builderImage: `${host}/${BUILDER_IMAGE}`,
    certificate: certificateFiles(storage).certificate,
    stop,
  };
}
