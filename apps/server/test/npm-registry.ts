import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { streamOutput } from '../src/processes/stream-output.ts';

const ENV = { PATH: '/usr/local/bin:/usr/bin:/bin' };
const { signal } = new AbortController();

type Manifest = { name: string; version: string; dependencies?: Record<string, string> };
type Package = { manifest: Manifest; archive: Buffer };

export type NpmRegistry = {
  port: number;
  /** The files of a project that needs all packages. */
  project(): { 'package.json': string; 'package-lock.json': string };
  stop(): Promise<void>;
};

/** A registry on loopback with one version of each package, made of folders with a package.json. */
export async function startNpmRegistry(folders: string[]): Promise<NpmRegistry> {
  const packages = new Map<string, Package>();
  for (const folder of folders) {
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    packages.set(manifest.name, { manifest, archive: await pack(folder) });
  }
  const server = createServer(({ url = '', headers }, response) => {
    const [name = '', isArchive] = decodeURIComponent(url.slice(1)).split('/-/');
    const found = packages.get(name);
    if (found === undefined) response.writeHead(404).end('{}');
    else if (isArchive !== undefined) response.end(found.archive);
    else response.end(JSON.stringify(description(found, `http://${headers.host}`)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    project: () => projectOf([...packages.values()]),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function description({ manifest, archive }: Package, origin: string): object {
  const { name, version } = manifest;
  const dist = { tarball: `${origin}/${name}/-/${version}.tgz`, integrity: integrityOf(archive) };
  return {
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist } },
  };
}

/** npm asks its registry for packages that are locked to the public one. */
function projectOf(packages: Package[]): ReturnType<NpmRegistry['project']> {
  const locked = packages.map(({ manifest: { name, version, dependencies }, archive }) => [
    `node_modules/${name}`,
    {
      version,
      resolved: `https://registry.npmjs.org/${name}/-/${version}.tgz`,
      integrity: integrityOf(archive),
      dependencies,
    },
  ]);
  const needed = packages.map(({ manifest: { name, version } }) => [name, version]);
  const root = { name: 'project', version: '1.0.0', dependencies: Object.fromEntries(needed) };
  const scripts = { start: 'node server.js' };
  const lock = {
    ...root,
    lockfileVersion: 3,
    packages: { '': root, ...Object.fromEntries(locked) },
  };
  return {
    'package.json': JSON.stringify({ ...root, scripts }),
    'package-lock.json': JSON.stringify(lock),
  };
}

function integrityOf(archive: Buffer): string {
  return `sha512-${createHash('sha512').update(archive).digest('base64')}`;
}

async function pack(folder: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const renamed = '--transform=flags=rSH;s,^\\.,package,';
  const argv = [
    'tar',
    '--create',
    '--gzip',
    '--exclude=node_modules',
    renamed,
    '-C',
    folder,
    '.',
  ] as const;
  for await (const chunk of streamOutput({ argv, cwd: '/', env: ENV }, signal)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
