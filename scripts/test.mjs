import { buildConsole } from './steps/build-console.mjs';
import { countTests, summary } from './steps/count-tests.mjs';
import { install } from './steps/install.mjs';
import { runScript } from './steps/run-script.mjs';
import { runVitest, runVitestInBackground } from './steps/run-vitest.mjs';
import { ensureSystemPackages, JOURNEY_PROGRAMS } from './steps/system-packages.mjs';

/** All projects except `pictures`, which takes the guide's screenshots. */
const TESTS = ['unit', 'console', 'console-rules'];
const JOURNEYS = ['e2e'];
const TESTS_WITH_DOCKER = ['docker'];
const JOURNEYS_WITH_DOCKER = ['e2e-docker'];
const NO_REPORT = { passed: 0, failed: 1, skipped: [] };
const isStrict = process.env.CI === 'true' || process.argv.includes('--strict');

await runScript(async () => {
  await install({ development: true });
  const missing = (await ensureSystemPackages()).filter((it) => JOURNEY_PROGRAMS.includes(it));
  await buildConsole();
  const canRunJourneys = missing.length === 0;
  console.log('\nRunning tests, with the Docker tests in the background');
  const reports = await Promise.all([runVitest(TESTS), runVitestInBackground(TESTS_WITH_DOCKER)]);
  // Not at the same time as Docker tests: Chromium aborts requests when a network interface appears or disappears.
  if (canRunJourneys) {
    reports.push(await runVitest(JOURNEYS));
    reports.push(await runVitest(JOURNEYS_WITH_DOCKER));
  }
  const counts = reports.map((report) => (report === undefined ? NO_REPORT : countTests(report)));
  if (!canRunJourneys) counts.push(skippedJourneys(missing));
  const { line, isSuccess } = summary(counts, isStrict);
  for (const name of counts.flatMap((count) => count.skipped)) console.log(`Skipped: ${name}`);
  console.log(line);
  if (!isSuccess) process.exitCode = 1;
});

function skippedJourneys(missing) {
  const reason = `browser journeys: ${missing.join(' and ')} missing, which the script installs only as root on Debian or Ubuntu`;
  return { passed: 0, failed: 0, skipped: [reason] };
}
