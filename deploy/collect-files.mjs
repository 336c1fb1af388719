import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { EXTERNAL_PACKAGES } from '../scripts/steps/external-packages.mjs';
import { installKubernetesClient } from '../scripts/steps/install-kubernetes-client.mjs';
import { ROOT } from '../scripts/steps/root.mjs';
import { runScript } from '../scripts/steps/run-script.mjs';

const SERVER = join('apps', 'server');
/** Built programs, and what the bundled server reads by its path. */
const FILES = [
  'LICENSE',
  join(SERVER, 'package.json'),
  join(SERVER, 'dist'),
  join(SERVER, 'sample'),
  join(SERVER, 'src', 'db', 'migrations'),
  join('apps', 'edge', 'dist'),
  join('apps', 'console', 'dist'),
];
const CLIENT = join(SERVER, 'kubernetes-client');
const CLIENT_FILES = join(CLIENT, 'node_modules', '@kubernetes', 'client-node');
/** Programs that are copied into images of apps. */
const BUILD = join(SERVER, 'src', 'build');

/** Copies what the container image needs of a built checkout to a folder. */
await runScript(async () => {
  const [, , target] = process.argv;
  if (target === undefined) throw new Error('Usage: node deploy/collect-files.mjs <folder>');
  await rm(target, { recursive: true, force: true });
  for (const path of FILES) await copy(path, target);
  for (const name of await readdir(join(ROOT, BUILD))) {
    if (/(?<!\.test)\.ts$/.test(name)) await copy(join(BUILD, name), target);
  }
  for (const path of await packageFolders(EXTERNAL_PACKAGES, join(ROOT, SERVER))) {
    await copy(relative(ROOT, path), target);
  }
  await bundleKubernetesClient(target);
  await cp(join(ROOT, 'deploy', 'longshore.mjs'), join(target, 'longshore.mjs'));
});

async function copy(path, target) {
  await mkdir(dirname(join(target, path)), { recursive: true });
  await cp(join(ROOT, path), join(target, path), { recursive: true, dereference: true });
}

/** The folders of packages and of all that they depend on. Optional ones for other platforms are not installed. */
async function packageFolders(names, from, found = new Set()) {
  for (const name of names) {
    const folder = packageFolder(name, from);
    if (folder === undefined || found.has(folder)) continue;
    found.add(folder);
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const needed = { ...manifest.dependencies, ...manifest.optionalDependencies };
    await packageFolders(Object.keys(needed), folder, found);
  }
  return found;
}

function packageFolder(name, from) {
  const paths = createRequire(join(from, 'package.json')).resolve.paths(name) ?? [];
  return paths
    .map((path) => join(path, name))
    .find((path) => existsSync(join(path, 'package.json')));
}

/** One file instead of 83 MB: of the client, only the access to a cluster is used. */
async function bundleKubernetesClient(target) {
  await installKubernetesClient({ environment: { LONGSHORE_ENGINE: 'kubernetes' } });
  const bundle = await rolldown({
    input: join(ROOT, CLIENT_FILES, 'dist', 'config.js'),
    platform: 'node',
  });
  await bundle.write({
    file: join(target, CLIENT_FILES, 'dist', 'config.js'),
    format: 'esm',
    codeSplitting: false,
  });
  await copy(join(CLIENT_FILES, 'package.json'), target);
}
