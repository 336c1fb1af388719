import { execFile } from 'node:child_process';
import { install } from './steps/install.mjs';
import { toolArgv } from './steps/programs.mjs';
import { ROOT } from './steps/root.mjs';
import { runScript, StepFailed } from './steps/run-script.mjs';

const CHECKS = [
  ['format and lint', toolArgv('biome', 'check', '--error-on-warnings', '--colors=off', '.')],
  ['types', toolArgv('tsc', '-p', '.')],
  ['types of the client', toolArgv('tsc', '-p', 'packages/client')],
  ['types of the console', toolArgv('tsc', '-p', 'apps/console')],
  ['types of journeys and benchmarks', toolArgv('tsc', '-p', 'e2e')],
  [
    'import directions',
    toolArgv('depcruise', '--output-type', 'err', 'packages', 'apps', 'e2e', 'bench'),
  ],
  ['dead code', toolArgv('knip', '--treat-config-hints-as-errors')],
];

await runScript(async () => {
  await install({ development: true });
  const results = await Promise.all([
    runSequentially(CHECKS.slice(0, 4)),
    runSequentially(CHECKS.slice(4)),
  ]);
  const failed = results.flat().filter((result) => !result.ok);
  for (const { name, output } of failed) console.log(`\n${name}\n${output.trimEnd()}`);
  if (failed.length > 0)
    throw new StepFailed(`\n${failed.length} of ${CHECKS.length} checks failed.`);
});

async function runSequentially(checks) {
  const results = [];
  for (const [name, argv] of checks) results.push(await check(name, argv));
  return results;
}

async function check(name, [program, ...args]) {
  const startedAt = Date.now();
  const { ok, output } = await new Promise((resolve) => {
    const options = { cwd: ROOT, maxBuffer: 64_000_000 };
    execFile(program, args, options, (error, stdout, stderr) => {
      resolve({ ok: error === null, output: stdout + stderr });
    });
  });
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${ok ? 'ok    ' : 'failed'}  ${name} (${seconds} s)`);
  return { name, ok, output };
}
