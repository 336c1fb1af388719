import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const IGNORED = ['**/node_modules/**', '**/dist/**'];
const DOCKER_TESTS = 'apps/server/**/*.docker.test.ts';
const KUBERNETES_TESTS = '{apps/server,e2e}/**/*.kubernetes.test.ts';
/** Makes the images before the tests, whose hooks have deadlines. */
const DOCKER_SETUP = ['apps/server/test/engines/docker/prepare-test-images.ts'];
/** Also the one that installs packages from the internet: the others may run where there is none. */
const DOCKER_JOURNEYS =
  'e2e/journeys/{docker,docker-upgrade,failures,injection,integrations,upgrade}.spec.ts';
/** Vitest's default of one second is too short on a busy machine. */
const POLL = { timeout: 30_000 };
/** Opens pages three times as fast as Chromium, which is used where it is missing. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
// biome-ignore lint/style/noProcessEnv: journeys can run in another browser.
const { LONGSHORE_CHROMIUM = HEADLESS_SHELL } = process.env;
const JOURNEY_SETUP = ['e2e/support/empty-database.ts'];
const JOURNEY = {
  setupFiles: ['e2e/support/server-errors.ts'],
  env: existsSync(LONGSHORE_CHROMIUM) ? { LONGSHORE_CHROMIUM } : {},
  // Journeys start servers and browsers, and build apps.
  testTimeout: 300_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 30_000 } },
};

/** Loads graphql once, from where Node loads it: graphql compares its classes with `instanceof`. */
const graphqlAsNode = {
  find: /^graphql$/,
  replacement: createRequire(import.meta.url).resolve('graphql'),
};

/** These take longest, partly because they wait, so they start first. Vitest sorts by size and would start some of them last. */
const LONGEST = ['accessibility', 'metrics', 'certificates', 'failure-fixes', 'slow-network'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.indexOf(basename(moduleId, '.spec.ts'));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => order(a) - order(b));
  }
}

export default defineConfig({
  test: {
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve: { alias: [graphqlAsNode] },
        test: {
          name: 'unit',
          include: ['{packages,apps/edge,apps/server,scripts,bench,e2e,docs}/**/*.test.ts'],
          exclude: [...IGNORED, DOCKER_TESTS, KUBERNETES_TESTS],
          globalSetup: ['apps/server/test/db/test-postgres.ts', 'apps/edge/test/build-edge.ts'],
          // Files share no state, because everything impure is passed in. Loading the sources for each file took longer than the tests.
          isolate: false,
          // Longer than `eventually`, whose error names what was missing.
          testTimeout: 150_000,
          hookTimeout: 150_000,
          expect: { poll: POLL },
        },
      },
      {
        test: {
          name: 'docker',
          include: [DOCKER_TESTS],
          globalSetup: DOCKER_SETUP,
          exclude: IGNORED,
          // Two Docker Engines on one machine would overwrite each other's firewall rules.
          fileParallelism: false,
          // Some compress and unpack large images.
          testTimeout: 180_000,
          hookTimeout: 300_000,
          expect: { poll: POLL },
        },
      },
      {
        test: {
          // `npm test` runs some of its files.
          name: 'kubernetes',
          include: [KUBERNETES_TESTS],
          globalSetup: ['apps/server/test/engines/kubernetes/prepare-cluster.ts'],
          exclude: IGNORED,
          // Each file has a cluster of its own.
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 300_000,
          expect: { poll: POLL },
        },
      },
      {
        extends: 'apps/console/vite.config.ts',
        root: 'apps/console',
        test: {
          // Without a DOM: creating one took longer than most of these tests.
          name: 'console-rules',
          // Not inherited by a project that extends another configuration.
          maxWorkers: '100%',
          include: ['{src,guide}/**/*.test.ts'],
          exclude: IGNORED,
          isolate: false,
          testTimeout: 60_000,
        },
      },
      {
        extends: 'apps/console/vite.config.ts',
        root: 'apps/console',
        test: {
          name: 'console',
          maxWorkers: '100%',
          include: ['{src,guide}/**/*.test.tsx'],
          exclude: IGNORED,
          environment: 'happy-dom',
          setupFiles: [join(import.meta.dirname, 'apps/console/test/clean-page.ts')],
          // Creating a DOM and loading the console for each file took as long as the tests.
          isolate: false,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'pictures',
          include: ['e2e/tour/*.tour.ts'],
          testTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/journeys/**/*.spec.ts'],
          exclude: [...IGNORED, DOCKER_JOURNEYS],
          // Each starts its own server and browser and often waits for them. They run after the unit tests, which use all processors.
          maxWorkers: 3,
          globalSetup: JOURNEY_SETUP,
          sequence: { groupOrder: 1 },
          ...JOURNEY,
        },
      },
      {
        test: {
          name: 'e2e-docker',
          include: [DOCKER_JOURNEYS],
          globalSetup: [...DOCKER_SETUP, ...JOURNEY_SETUP],
          fileParallelism: false,
          ...JOURNEY,
        },
      },
    ],
  },
});
