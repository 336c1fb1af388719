import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildConsole } from './steps/build-console.mjs';
import { install } from './steps/install.mjs';
import { NODE } from './steps/programs.mjs';
import { ROOT } from './steps/root.mjs';
import { runCommand } from './steps/run-command.mjs';
import { runScript, StepFailed } from './steps/step-failed.mjs';

/** Runs every benchmark in turn, or those whose names are given. */
await runScript(async () => {
  await install();
  await buildConsole();
  const wanted = process.argv.slice(2);
  const files = (await readdir(join(ROOT, 'bench')))
    .filter((name) => name.endsWith('.bench.ts'))
    .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
    .sort();
  if (files.length === 0) console.log('There is no such benchmark in bench/');
  for (const file of files) {
    console.log(`\n${file}`);
    const code = await runCommand([NODE, join('bench', file)], { cwd: ROOT });
    if (code !== 0) throw new StepFailed(`${file} failed with exit code ${code}.`);
  }
});
