import { expect, it } from 'vitest';
import {
  decodePin,
  hasSameSource,
  pausedText,
  pinnedRevisionText,
  rollbackPin,
  withoutPin,
} from './pin.ts';
import { pinRevision } from './release-values.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const DIGEST = `sha256:${'ab'.repeat(32)}`;
const container = { image: 'nginx:1.27', updatePolicy: 'Always', pullSecretName: '' } as const;
const source = { enabled: true, url: 'https://x.test/a.git', ref: 'main', secretName: '' };
const git = { source, container };
const image = { source: { ...source, enabled: false }, container };
const pin = { release: 2, follows: 'main' };

it.each([
  ['a branch', { values: git, revision: COMMIT }, { release: 3, follows: 'main' }],
  ['an image tag', { values: image, revision: DIGEST }, { release: 3, follows: 'nginx:1.27' }],
  [
    'a commit that the user chose',
    { values: pinRevision(COMMIT, git), revision: COMMIT },
    undefined,
  ],
  [
    'a digest that the user chose',
    { values: pinRevision(DIGEST, image), revision: DIGEST },
    undefined,
  ],
  [
    'an earlier rollback',
    { values: pinRevision(COMMIT, git), revision: COMMIT, pin },
    { release: 3, follows: 'main' },
  ],
  ['a branch that was never resolved', { values: git, revision: undefined }, undefined],
])('pins an app that is rolled back to a release of %s', (_, target, expected) => {
  expect(rollbackPin({ number: 3, ...target })).toEqual(expected);
});

it.each([
  ['git', git, COMMIT, 'commit 0123456'],
  ['an image', image, DIGEST, 'digest abababa'],
])('removes the pin from values of %s', (_, values, revision, text) => {
  const pinned = pinRevision(revision, values);
  expect(pinnedRevisionText(pinned)).toBe(text);
  const { follows } = rollbackPin({ number: 1, values, revision }) ?? pin;
  expect(withoutPin(pinned, { release: 1, follows })).toEqual(values);
});

it.each([
  [git, { ...git, source: { ...source, secretName: 'integration' } }, true],
  [git, { ...git, source: { ...source, ref: 'dev' } }, false],
  [git, { ...git, source: { ...source, url: 'https://x.test/b.git' } }, false],
  [git, image, false],
  [image, { ...image, source: { ...image.source, url: 'https://x.test/b.git' } }, true],
  [image, { ...image, container: { ...container, image: 'nginx:1.28' } }, false],
])('compares sources %#', (one, other, isSame) => {
  expect(hasSameSource(one, other)).toBe(isSame);
});

it('explains why pushes are not deployed', () => {
  expect(pausedText(pinRevision(COMMIT, git), pin)).toBe(
    'Push to deploy is paused: rolled back to release 2 (commit 0123456). Newer commits wait.',
  );
});

it.each([null, 'main', {}, { release: '2', follows: 'main' }, { release: 2 }])(
  'ignores the malformed pin %j',
  (stored) => expect(decodePin(stored)).toBeUndefined(),
);
