import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildConsole } from './steps/build-console.mjs';
import { countTests, summary } from './steps/count-tests.mjs';
import { install } from './steps/install.mjs';
import { toolArgv } from './steps/programs.mjs';
import { ROOT } from './steps/root.mjs';
import { runCommand } from './steps/run-command.mjs';
import { runScript } from './steps/step-failed.mjs';
import { ensureSystemPackages, JOURNEY_PROGRAMS } from './steps/system-packages.mjs';

/** Neither the journeys, which follow, nor what takes the guide's pictures. */
const PROJECTS = ['--project=unit', '--project=docker', '--project=console'];
const isStrict = process.env.CI === 'true' || process.argv.includes('--strict');

await runScript(async () => {
  await install();
  const missing = (await ensureSystemPackages()).filter((it) => JOURNEY_PROGRAMS.includes(it));
  await buildConsole();
  const counts = [await runTests('unit and service tests', PROJECTS)];
  counts.push(
    missing.length === 0
      ? await runTests('browser journeys', ['--project=e2e', '--passWithNoTests'])
      : withoutBrowser(missing),
  );
  const { line, isGood } = summary(counts, isStrict);
  for (const name of counts.flatMap((count) => count.skipped)) console.log(`Skipped: ${name}`);
  console.log(line);
  if (!isGood) process.exitCode = 1;
});

async function runTests(title, args) {
  console.log(`\nRunning the ${title}`);
  const folder = await mkdtemp(join(tmpdir(), 'longshore-report-'));
  const file = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  try {
    const code = await runCommand(toolArgv('vitest', 'run', ...reporters, ...args), { cwd: ROOT });
    const count = await readFile(file, 'utf8')
      .then(JSON.parse)
      .then(countTests)
      .catch(() => undefined);
    return count ?? { passed: 0, failed: code === 0 ? 0 : 1, skipped: [] };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function withoutBrowser(missing) {
  const reason = `browser journeys: ${missing.join(' and ')} missing, and only root on Debian or Ubuntu can install it here`;
  return { passed: 0, failed: 0, skipped: [reason] };
}
