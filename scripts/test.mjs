import { buildConsole } from './steps/build-console.mjs';
import { countTests, summary } from './steps/count-tests.mjs';
import { install } from './steps/install.mjs';
import { runVitest, runVitestAside } from './steps/run-vitest.mjs';
import { runScript } from './steps/step-failed.mjs';
import { ensureSystemPackages, JOURNEY_PROGRAMS } from './steps/system-packages.mjs';

/** All but what takes the guide's pictures. */
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
  const canTravel = missing.length === 0;
  console.log(
    '\nRunning all tests; those with a Docker Engine meanwhile, as they mostly wait for it',
  );
  const reports = await Promise.all([
    runVitest(canTravel ? [...TESTS, ...JOURNEYS] : TESTS),
    runVitestAside(canTravel ? [...TESTS_WITH_DOCKER, ...JOURNEYS_WITH_DOCKER] : TESTS_WITH_DOCKER),
  ]);
  const counts = reports.map((report) => (report === undefined ? NO_REPORT : countTests(report)));
  if (!canTravel) counts.push(withoutBrowser(missing));
  const { line, isGood } = summary(counts, isStrict);
  for (const name of counts.flatMap((count) => count.skipped)) console.log(`Skipped: ${name}`);
  console.log(line);
  if (!isGood) process.exitCode = 1;
});

function withoutBrowser(missing) {
  const reason = `browser journeys: ${missing.join(' and ')} missing, and only root on Debian or Ubuntu can install it here`;
  return { passed: 0, failed: 0, skipped: [reason] };
}
