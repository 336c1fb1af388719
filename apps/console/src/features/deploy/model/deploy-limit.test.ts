import { expect, it } from 'vitest';
import { anAccountUsage } from '../../../../test/resources.ts';
import { deployLimit } from './deploy-limit.ts';

const registered = { isAnonymous: false };
const full = { used: 4, limit: 4 };

it.each([
  ['an anonymous user', { isAnonymous: true }, undefined, 'Anonymous users cannot deploy apps.'],
  ['an unknown usage', registered, undefined, undefined],
  ['room for an app', registered, anAccountUsage(), undefined],
  ['no limits', registered, anAccountUsage({ apps: { used: 90, limit: null } }), undefined],
  ['all apps', registered, anAccountUsage({ apps: full }), 'You have 4 of 4 apps.'],
  [
    'no memory',
    registered,
    anAccountUsage({ memoryBytes: full }),
    'Your account has no memory left for another app.',
  ],
  [
    'no CPU',
    registered,
    anAccountUsage({ cpus: full }),
    'Your account has no CPU left for another app.',
  ],
])('with %s', (_, user, usage, headline) => {
  expect(deployLimit(user, usage)?.headline).toBe(headline);
});
