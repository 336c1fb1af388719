import { buildAppValues } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { type ReleaseValues, releaseValues } from './release-values.ts';
import { isSameBuild } from './same-build.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const DIGEST = `sha256:${'ab'.repeat(32)}`;
const git = releaseValues(buildAppValues({ env: { COLOUR: 'red', SIZE: 'small' } }));
const { source, container } = git;
const image = { ...git, source: { ...source, enabled: false } };
const withRef = (ref: string): ReleaseValues => ({ ...git, source: { ...source, ref } });
const withImage = (name: string) => ({ ...image, container: { ...container, image: name } });

it.each<[boolean, string, ReleaseValues, ReleaseValues, string | undefined]>([
  [true, 'the commit it was built of', withRef(COMMIT), git, COMMIT],
  [true, 'the commit it was pinned to', withRef(COMMIT), withRef(COMMIT), COMMIT],
  [true, 'other ports', { ...withRef(COMMIT), ports: [] }, git, COMMIT],
  [
    true,
    'another order of the environment',
    { ...withRef(COMMIT), env: { SIZE: 'small', COLOUR: 'red' } },
    git,
    COMMIT,
  ],
  [false, 'its branch, which may have moved on', git, git, COMMIT],
  [false, 'another environment', { ...withRef(COMMIT), env: {} }, git, COMMIT],
  [
    false,
    'another repository',
    { ...git, source: { ...source, url: 'https://example.com/b.git', ref: COMMIT } },
    git,
    COMMIT,
  ],
  [false, 'what was never built', withRef(COMMIT), git, undefined],
  [true, 'the digest it was', withImage(`nginx:1@${DIGEST}`), withImage('nginx:1'), DIGEST],
  [
    true,
    'an image with another environment',
    { ...withImage(`nginx@${DIGEST}`), env: {} },
    withImage('nginx'),
    DIGEST,
  ],
  [false, 'a tag, which may have moved on', withImage('nginx'), withImage('nginx'), DIGEST],
])('%s for %s', (isSame, _, wished, made, revision) => {
  expect(isSameBuild(wished, { values: made, revision })).toBe(isSame);
});
