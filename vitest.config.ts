import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const IGNORED = ['**/node_modules/**', '**/dist/**'];
const DOCKER_TESTS = 'apps/server/**/*.docker.test.ts';
const DOCKER_JOURNEYS = 'e2e/journeys/{docker,failures,injection,integrations}.spec.ts';
/** A second is too short on a busy machine; who waits in vain fails all the same. */
const POLL = { timeout: 10_000 };
/** Chromium without windows: a page takes a third of the time. Where it is missing, Chromium itself does as well. */
const QUICK_CHROMIUM = '/usr/bin/chromium-headless-shell';
// biome-ignore lint/style/noProcessEnv: whoever runs the journeys may name another browser.
const { LONGSHORE_CHROMIUM = QUICK_CHROMIUM } = process.env;
const JOURNEY = {
  env: existsSync(LONGSHORE_CHROMIUM) ? { LONGSHORE_CHROMIUM } : {},
  // Browsers, servers and builds take their time.
  testTimeout: 300_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 30_000 } },
};

/** One copy of graphql, the one Node itself would load: its classes are compared with `instanceof`. */
const graphqlAsNode = {
  find: /^graphql$/,
  replacement: createRequire(import.meta.url).resolve('graphql'),
};

/** Vitest begins with the largest files. This one is small, takes longest, and would end with nothing beside it. */
const LONGEST = 'accessibility.spec.ts';

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification) => Number(moduleId.endsWith(LONGEST));
    return (await super.sort(files)).toSorted((a, b) => isLongest(b) - isLongest(a));
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
          include: ['{packages,apps/server,scripts,bench,e2e,docs}/**/*.test.ts'],
          exclude: [...IGNORED, DOCKER_TESTS],
          globalSetup: ['apps/server/test/db/test-postgres.ts'],
          // Everything impure is handed in, so files leave nothing behind for each other; loading it all again for each took longer than the tests.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 30_000,
          expect: { poll: POLL },
        },
      },
      {
        test: {
          name: 'docker',
          include: [DOCKER_TESTS],
          exclude: IGNORED,
          // Two Docker Engines on one machine fight over its firewall.
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 300_000,
          expect: { poll: POLL },
        },
      },
      {
        extends: 'apps/console/vite.config.ts',
        root: 'apps/console',
        test: {
          // Without a page: making one took longer than most of these tests.
          name: 'console-rules',
          // Said again: what extends another configuration does not take it from above, and both run in one group.
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
          // Each has a server and a browser of its own, and often waits for them. After the units, which keep every processor busy.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          ...JOURNEY,
        },
      },
      {
        test: {
          name: 'e2e-docker',
          include: [DOCKER_JOURNEYS],
          fileParallelism: false,
          ...JOURNEY,
        },
      },
    ],
  },
});
