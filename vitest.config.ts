import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';

const IGNORED = ['**/node_modules/**', '**/dist/**'];
const DOCKER_TESTS = 'apps/server/**/*.docker.test.ts';

/** One copy of graphql, the one Node itself would load: its classes are compared with `instanceof`. */
const graphqlAsNode = {
  find: /^graphql$/,
  replacement: createRequire(import.meta.url).resolve('graphql'),
};

export default defineConfig({
  test: {
    maxWorkers: '100%',
    projects: [
      {
        resolve: { alias: [graphqlAsNode] },
        test: {
          name: 'unit',
          include: ['{packages,apps/server,scripts,bench,docs}/**/*.test.ts'],
          exclude: [...IGNORED, DOCKER_TESTS],
          globalSetup: ['apps/server/src/db/embedded/test-postgres.ts'],
          // Everything impure is handed in, so files leave nothing behind for each other; loading it all again for each took longer than the tests.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 30_000,
          // A second is too short on a busy machine; who waits in vain fails all the same.
          expect: { poll: { timeout: 10_000 } },
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
        },
      },
      {
        extends: 'apps/console/vite.config.ts',
        root: 'apps/console',
        test: {
          name: 'console',
          include: ['{src,guide}/**/*.test.{ts,tsx}'],
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
          // Journeys share the machine's browser and watch the clock; one at a time keeps them honest.
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
