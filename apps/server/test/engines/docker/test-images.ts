import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openCachedFolder } from '../../cached-folder.ts';
import { BASE_IMAGES } from './base-image.ts';
import { BUILDER_SETTINGS, fillBuilderImage } from './builder-image.ts';
import { openBuildKitPrograms } from './buildkit-programs.ts';
import { type Layer, storeImage, storeLayer } from './registry-storage.ts';

/** The address of a registry on another machine. */
export const REMOTE_REGISTRY = '10.77.13.2';

export const BUILDER_IMAGE = 'moby/buildkit:rootless';
/** As the public one without rootlesskit. */
export const ROOT_BUILDER_IMAGE = 'moby/buildkit:latest';

/** The programs of this machine that the images contain. */
const CONTENT = ['/bin/busybox', '/usr/sbin/runc', '/usr/bin/newuidmap', '/usr/bin/python3'];
const SOURCES = ['test-images.ts', 'builder-image.ts', 'base-image.ts', 'registry-storage.ts'];

/** The storage of a registry with all images, made once per machine. */
export async function openTestImages(print = printLine): Promise<string> {
  const programs = await openBuildKitPrograms(print);
  return await openCachedFolder({
    name: 'test-images',
    key: await fingerprint(programs),
    async fill(storage) {
      const { certificate } = await createCertificate(storage);
      const fill = (root: string) => fillBuilderImage(root, programs, certificate);
      const builder = await storeLayer(storage, fill, { isCompressed: false });
      const [layers, settings] = [[builder], BUILDER_SETTINGS];
      const asRoot = { ...settings, User: '', Entrypoint: ['buildkitd'] };
      await storeImage(storage, { name: BUILDER_IMAGE, layers, settings });
      await storeImage(storage, { name: ROOT_BUILDER_IMAGE, layers, settings: asRoot });
      await storeBaseImages(storage);
    },
  });
}

/** Of the registry that stands for one on another machine; builders of tests trust it. */
export function certificateFiles(storage: string): { certificate: string; key: string } {
  return { certificate: join(storage, 'certificate.pem'), key: join(storage, 'key.pem') };
}

async function createCertificate(storage: string): Promise<{ certificate: string }> {
  const { certificate, key } = certificateFiles(storage);
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-subj', '/CN=longshore-test', '-addext', `subjectAltName=IP:${REMOTE_REGISTRY}`],
    ...['-days', '3650', '-keyout', key, '-out', certificate],
  ]);
  return { certificate };
}

/** Each layer once, as in a registry. */
async function storeBaseImages(storage: string): Promise<void> {
  const settings = { Env: ['PATH=/usr/local/bin:/usr/bin:/bin'] };
  const stored = new Map<unknown, Layer>();
  for (const [name, parts] of Object.entries(BASE_IMAGES)) {
    for (const part of parts) {
      if (!stored.has(part)) stored.set(part, await storeLayer(storage, part));
    }
    const layers = parts.flatMap((part) => stored.get(part) ?? []);
    // Where Docker Hub keeps images without a namespace.
    await storeImage(storage, { name: `library/${name}`, layers, settings });
  }
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Of everything that the images are made of. Node and npm count by version, because each checkout installs them again. */
async function fingerprint(programs: string): Promise<string> {
  const names = Object.keys(BASE_IMAGES);
  const npm: { version: string } = createRequire(import.meta.url)('npm/package.json');
  const versions = [process.version, npm.version];
  const hash = createHash('sha256').update([programs, ...names, ...versions].join('\n'));
  for (const path of CONTENT) {
    const { size, mtimeMs } = await stat(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  for (const name of SOURCES) hash.update(await readFile(join(import.meta.dirname, name)));
  return hash.digest('hex').slice(0, 16);
}
