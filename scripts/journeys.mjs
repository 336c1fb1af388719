import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildConsole } from './steps/build-console.mjs';
import { install } from './steps/install.mjs';
import { ROOT } from './steps/root.mjs';
import { runScript, StepFailed } from './steps/run-script.mjs';
import { runVitest } from './steps/run-vitest.mjs';
import { ensureSystemPackages, JOURNEY_PROGRAMS } from './steps/system-packages.mjs';
import { tallyFiles } from './steps/tally-files.mjs';

const JOURNEYS = join(ROOT, 'e2e', 'journeys');

/** Repeats all journeys, or those whose names are given, and counts the failures of each: `--times 20`. */
await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { times: { type: 'string', default: '20' } },
  });
  const times = Number(values.times);
  if (!(Number.isInteger(times) && times > 0))
    throw new StepFailed('--times must be a whole number above 0.');
  await install({ development: true });
  const missing = (await ensureSystemPackages()).filter((it) => JOURNEY_PROGRAMS.includes(it));
  if (missing.length > 0) throw new StepFailed(`The journeys need ${missing.join(' and ')}.`);
  await buildConsole();
  const reports = [];
  for (let round = 1; round <= times; round += 1) {
    console.log(`\nRound ${round} of ${times}`);
    const report = await runVitest(['e2e', 'e2e-docker'], { filters: positionals });
    if (report === undefined)
      throw new StepFailed('The journeys wrote no report. See the output above.');
    reports.push(report);
    console.table(tallyFiles(reports, JOURNEYS));
  }
  if (reports.some((report) => !report.success)) process.exitCode = 1;
});
