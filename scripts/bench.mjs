import { rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildConsole } from './steps/build-console.mjs';
import { install } from './steps/install.mjs';
import { NODE } from './steps/programs.mjs';
import { ROOT } from './steps/root.mjs';
import { runCommand } from './steps/run-command.mjs';
import { runScript, StepFailed } from './steps/run-script.mjs';
import { ensureSystemPackages } from './steps/system-packages.mjs';

/**
 * Runs all benchmarks one after another, or those whose names are given. One that fails does not prevent the others.
 * `--json <path>` saves the results.
 */
await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'string' } },
  });
  await install({ development: true });
  const missing = await ensureSystemPackages();
  if (missing.length > 0) throw new StepFailed(`The benchmarks need ${missing.join(' and ')}.`);
  await buildConsole();
  const results = [];
  const failures = [];
  for (const file of await benchmarks(positionals)) {
    const result = await measure(file);
    if (result === undefined) failures.push(file);
    else results.push(result);
  }
  if (values.json !== undefined) {
    const machine = { processors: cpus().length, architecture: process.arch };
    const saved = { at: new Date().toISOString(), machine, results };
    await writeFile(resolve(values.json), `${JSON.stringify(saved, undefined, 2)}\n`);
  }
  if (failures.length > 0) throw new StepFailed(`Failed: ${failures.join(', ')}`);
});

async function benchmarks(names) {
  const files = (await readdir(join(ROOT, 'bench')))
    .filter((name) => name.endsWith('.bench.ts'))
    .filter((name) => names.length === 0 || names.some((part) => name.includes(part)))
    .sort();
  if (files.length === 0) throw new StepFailed('No benchmark in bench/ has that name.');
  return files;
}

/** Undefined if the benchmark fails; it has printed the reason. */
async function measure(file) {
  console.log(`\n${file}`);
  const folder = await mkdtemp(join(tmpdir(), 'longshore-bench-'));
  // Not `finally`: after a signal, the script exits as soon as the benchmark has exited.
  process.once('exit', () => rmSync(folder, { recursive: true }));
  const json = join(folder, 'result.json');
  const code = await runCommand([NODE, join('bench', file), '--json', json], { cwd: ROOT });
  if (code !== 0) return undefined;
  return JSON.parse(await readFile(json, 'utf8'));
}
