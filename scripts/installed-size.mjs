import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasDevelopmentTools } from './steps/missing-packages.mjs';
import { ROOT } from './steps/root.mjs';
import { runScript, StepFailed } from './steps/run-script.mjs';

const MIB = 1024 * 1024;
const LIMIT_MIB = 350;
const BLOCK_BYTES = 512;
const MODULES = join(ROOT, 'node_modules');

/** Fails when what `npm start` installs takes more disk than users were promised. */
await runScript(async () => {
  const installed = JSON.parse(await readFile(join(MODULES, '.package-lock.json'), 'utf8'));
  if (hasDevelopmentTools(installed)) {
    console.log('Installed size: not checked, because development tools are installed.');
    return;
  }
  const sizeMib = Math.ceil((await diskBytes(MODULES)) / MIB);
  console.log(`Installed size: ${sizeMib} MiB of at most ${LIMIT_MIB} MiB`);
  if (sizeMib > LIMIT_MIB) throw new StepFailed('npm start installs too much.');
});

async function diskBytes(path) {
  const stats = await lstat(path);
  const children = stats.isDirectory() ? await readdir(path) : [];
  let bytes = stats.blocks * BLOCK_BYTES;
  for (const child of children) bytes += await diskBytes(join(path, child));
  return bytes;
}
