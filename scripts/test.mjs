import { buildConsole } from './steps/build-console.mjs';
import { countTests, summary } from './steps/count-tests.mjs';
import { install } from './steps/install.mjs';
import { runVitest } from './steps/run-vitest.mjs';
import { runScript } from './steps/step-failed.mjs';
import { ensureSystemPackages, JOURNEY_PROGRAMS } from './steps/system-packages.mjs';

/** All but what takes the guide's pictures. */
const TESTS = ['--project=unit', '--project=docker', '--project=console'];
const JOURNEYS = ['--project=e2e', '--project=e2e-docker'];
const isStrict = process.env.CI === 'true' || process.argv.includes('--strict');

await runScript(async () => {
  await install();
  const missing = (await ensureSystemPackages()).filter((it) => JOURNEY_PROGRAMS.includes(it));
  await buildConsole();
  const counts = [await runTests('unit and service tests', TESTS)];
  counts.push(
    missing.length === 0 ? await runTests('browser journeys', JOURNEYS) : withoutBrowser(missing),
  );
  const { line, isGood } = summary(counts, isStrict);
  for (const name of counts.flatMap((count) => count.skipped)) console.log(`Skipped: ${name}`);
  console.log(line);
  if (!isGood) process.exitCode = 1;
});

async function runTests(title, projects) {
  console.log(`\nRunning the ${title}`);
  const report = await runVitest(...projects);
  return report === undefined ? { passed: 0, failed: 1, skipped: [] } : countTests(report);
}

function withoutBrowser(missing) {
  const reason = `browser journeys: ${missing.join(' and ')} missing, and only root on Debian or Ubuntu can install it here`;
  return { passed: 0, failed: 0, skipped: [reason] };
}
