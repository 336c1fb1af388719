import { buildAppValues } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { parseAppValues } from './app-values.ts';
import { canReuseBuild, pinRevision, type ReleaseValues, releaseValues } from './release-values.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
const values = {
  name: 'shop',
  projectId: '0b2f6c1e-2f3a-4c5d-8e9f-0a1b2c3d4e5f',
  resourceTier: 't1',
  ports: [{ number: 3000, expose: true }],
  publicAccess: { enabled: true, domain: 'auto', baseDomain: 'localhost' },
  container: { image: 'nginx:latest', updatePolicy: 'Always', pullSecretName: 'hub' },
  source: { enabled: true, url: 'https://example.com/a.git', ref: 'main', secretName: 'key' },
  env: { A: '1' },
  instances: 1,
};
const { source, container } = values;
const withImage = (image: string) => ({
  ...values,
  source: { ...source, enabled: false },
  container: { ...container, image },
});

it('leaves out the name, addresses and sleep settings of an app', () => {
  expect(Object.keys(releaseValues(values)).sort()).toEqual([
    'container',
    'env',
    'ports',
    'resourceTier',
    'source',
  ]);
});

it('pins the ref to a commit and changes nothing else', () => {
  expect(pinRevision(COMMIT, values)).toEqual({ ...values, source: { ...source, ref: COMMIT } });
});

it.each([
  ['nginx', `nginx@${DIGEST}`],
  ['nginx:1.27', `nginx:1.27@${DIGEST}`],
  [`nginx@sha256:${'f'.repeat(64)}`, `nginx@${DIGEST}`],
  ['localhost:5000/team/app', `localhost:5000/team/app@${DIGEST}`],
])('pins the image %s to a digest', (image, pinned) => {
  expect(pinRevision(DIGEST, withImage(image)).container).toEqual({ ...container, image: pinned });
});

it('keeps pinned values valid', () => {
  const rules = { allowLocalSources: false };
  for (const pinned of [
    pinRevision(COMMIT, values),
    pinRevision(DIGEST, withImage('nginx:1.27')),
  ]) {
    expect(parseAppValues({ ...values, ...pinned }, rules)).toMatchObject({ ok: true });
  }
});

describe('canReuseBuild', () => {
  const git = releaseValues(buildAppValues({ env: { COLOUR: 'red', SIZE: 'small' } }));
  const { source, container } = git;
  const image = { ...git, source: { ...source, enabled: false } };
  const withRef = (ref: string): ReleaseValues => ({ ...git, source: { ...source, ref } });
  const withImage = (name: string) => ({ ...image, container: { ...container, image: name } });

  it.each<[boolean, string, ReleaseValues, ReleaseValues, string | undefined]>([
    [true, 'the commit it was built from', withRef(COMMIT), git, COMMIT],
    [true, 'the commit it was pinned to', withRef(COMMIT), withRef(COMMIT), COMMIT],
    [true, 'other ports', { ...withRef(COMMIT), ports: [] }, git, COMMIT],
    [
      true,
      'another order of the environment',
      { ...withRef(COMMIT), env: { SIZE: 'small', COLOUR: 'red' } },
      git,
      COMMIT,
    ],
    [false, 'its branch, which may have moved', git, git, COMMIT],
    [false, 'another environment', { ...withRef(COMMIT), env: {} }, git, COMMIT],
    [
      false,
      'another repository',
      { ...git, source: { ...source, url: 'https://example.com/b.git', ref: COMMIT } },
      git,
      COMMIT,
    ],
    [false, 'a release that was never built', withRef(COMMIT), git, undefined],
    [true, 'its digest', withImage(`nginx:1@${DIGEST}`), withImage('nginx:1'), DIGEST],
    [
      true,
      'an image with another environment',
      { ...withImage(`nginx@${DIGEST}`), env: {} },
      withImage('nginx'),
      DIGEST,
    ],
    [false, 'a tag, which may have moved', withImage('nginx'), withImage('nginx'), DIGEST],
  ])('is %s for %s', (isSame, _, desired, values, revision) => {
    expect(canReuseBuild(desired, { values, revision })).toBe(isSame);
  });
});
