import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildConsole } from './steps/build-console.mjs';
import { countTests, summary } from './steps/count-tests.mjs';
import { install } from './steps/install.mjs';
import { hasOwnNetworks } from './steps/own-network.mjs';
import { NODE } from './steps/programs.mjs';
import { ROOT } from './steps/root.mjs';
import { runCommand } from './steps/run-command.mjs';
import { runScript } from './steps/run-script.mjs';
import { runVitest, runVitestInBackground } from './steps/run-vitest.mjs';
import { ensureSystemPackages, JOURNEY_PROGRAMS } from './steps/system-packages.mjs';

/** All projects except `pictures`, which takes the guide's screenshots. */
const TESTS = ['unit', 'console', 'console-rules'];
const JOURNEYS = ['e2e'];
const TESTS_WITH_DOCKER = ['docker'];
const JOURNEYS_WITH_DOCKER = ['e2e-docker'];
const TESTS_ON_A_CLUSTER = ['kubernetes'];
/** The suite that all engines run, and the logs. The other files take too long to run each time. */
const CLUSTER_FILES = ['engine-contract', 'logs'].map((name) => `/${name}.kubernetes.test.ts`);
/** Half of the Docker tests by duration. They need no internet. */
const APART = ['running', 'failure-messages', 'exhaustion', 'disk-limits'];
const PREPARE_IMAGES = 'apps/server/test/engines/docker/prepare-test-images.ts';
const PREPARE_CLUSTER = 'apps/server/test/engines/kubernetes/prepare-cluster.ts';
const isStrict = process.env.CI === 'true' || process.argv.includes('--strict');

await runScript(async () => {
  await install({ development: true });
  const missing = (await ensureSystemPackages()).filter((it) => JOURNEY_PROGRAMS.includes(it));
  await buildConsole();
  const canRunJourneys = missing.length === 0;
  console.log('\nRunning tests, with those on Docker and on a cluster in the background');
  const reports = await ((await hasOwnNetworks()) ? runSideBySide : runInTurn)(canRunJourneys);
  const counts = reports.map((report) => countTests(report));
  if (!canRunJourneys) counts.push(skippedJourneys(missing));
  const { lines, isSuccess } = summary(counts, isStrict);
  console.log(lines.join('\n'));
  if (!isSuccess) process.exitCode = 1;
});

/** Tests that would disturb each other have networks of their own: Docker Engines share a firewall, and see `runInTurn`. */
async function runSideBySide(canRunJourneys) {
  const hasOwnNetwork = true;
  const isPrepared = prepareImages();
  const withoutDocker = async () => [
    await runVitest(TESTS),
    ...(canRunJourneys ? [await runVitest(JOURNEYS, { hasOwnNetwork })] : []),
  ];
  const files = await findDockerTests();
  const isApart = (file) => APART.some((name) => file.endsWith(`/${name}.docker.test.ts`));
  const withDocker = async () => [
    await runDockerTests(isPrepared, { filters: files.filter((file) => !isApart(file)) }),
    ...(canRunJourneys ? [await runVitestInBackground(JOURNEYS_WITH_DOCKER)] : []),
  ];
  const apart = async () => [
    await runDockerTests(isPrepared, { hasOwnNetwork, filters: files.filter(isApart) }),
  ];
  const onCluster = async () => [await runClusterTests(isPrepared, { hasOwnNetwork })];
  return (await Promise.all([withoutDocker(), withDocker(), apart(), onCluster()])).flat();
}

async function findDockerTests() {
  const folder = join('apps', 'server', 'src');
  const files = await readdir(join(ROOT, folder), { recursive: true });
  return files.filter((file) => file.endsWith('.docker.test.ts')).map((file) => join(folder, file));
}

/** Journeys do not run beside Docker tests: Chromium aborts requests when a network interface appears or disappears. */
async function runInTurn(canRunJourneys) {
  const reports = await Promise.all([runVitest(TESTS), runDockerTests(prepareImages())]);
  for (const journeys of canRunJourneys ? [JOURNEYS, JOURNEYS_WITH_DOCKER] : []) {
    reports.push(await runVitest(journeys));
  }
  return [...reports, await runClusterTests(true)];
}

/** Before the tests and with the network of the machine: compiling BuildKit takes minutes on a new machine. */
async function prepareImages() {
  return (await runCommand([NODE, PREPARE_IMAGES], { cwd: ROOT })) === 0;
}

async function runDockerTests(isPrepared, options) {
  return (await isPrepared) ? await runVitestInBackground(TESTS_WITH_DOCKER, options) : undefined;
}

/** Compiles Kubernetes with the network of the machine and the lowest priority while other tests run: minutes on a new machine. */
async function runClusterTests(isPrepared, options) {
  if (!(await isPrepared) || (await runCommand([NODE, PREPARE_CLUSTER], { cwd: ROOT })) !== 0)
    return;
  return await runVitestInBackground(TESTS_ON_A_CLUSTER, { ...options, filters: CLUSTER_FILES });
}

function skippedJourneys(missing) {
  const reason = `browser journeys: ${missing.join(' and ')} missing, which the script installs only as root on Debian or Ubuntu`;
  return { passed: 0, failed: [], skipped: [reason] };
}
