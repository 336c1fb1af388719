import { buildAppValues } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { parseAppValues } from './app-values.ts';
import type { BuildInputs } from './build-inputs.ts';
import { FALLBACK_FONTS } from './fallback-fonts.ts';
import {
  canReuseBuild,
  keepsBuild,
  pinRevision,
  type ReleaseValues,
  releaseValues,
} from './release-values.ts';
import { DEFAULT_TIERS } from './tier.ts';

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
  const machine = { cpus: 1, memoryBytes: 1024 ** 3 };
  const rules = { allowLocalSources: false, tiers: { tiers: DEFAULT_TIERS, machine } };
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
    [true, 'another start command', { ...withRef(COMMIT), run: { command: 'b' } }, git, COMMIT],
    [
      false,
      'another build command',
      { ...withRef(COMMIT), build: { buildCommand: 'b' } },
      git,
      COMMIT,
    ],
    [false, 'its branch, which may have moved', git, git, COMMIT],
    [true, 'other variables', { ...withRef(COMMIT), env: {} }, git, COMMIT],
    [false, 'another argument', { ...withRef(COMMIT), env: { VERSION: '2' } }, git, COMMIT],
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
    const inputs = { arguments: ['VERSION'], startCommand: false };
    expect(canReuseBuild(desired, { values, revision, inputs })).toBe(isSame);
  });
});

describe('keepsBuild', () => {
  const env = { COLOUR: 'red', VITE_COLOUR: 'red', VERSION: '1' };
  const git = releaseValues(buildAppValues({ env }));
  const chosen: ReleaseValues = { ...git, build: { variables: ['COLOUR'] } };
  const started: ReleaseValues = { ...git, run: { command: 'node a' } };
  const image: ReleaseValues = { ...git, source: { ...git.source, enabled: false } };
  const withEnv = (change: Record<string, string>, values = git): ReleaseValues => ({
    ...values,
    env: { ...env, ...change },
  });
  const withFonts = (values: ReleaseValues) =>
    withEnv({ [FALLBACK_FONTS.name]: FALLBACK_FONTS.value }, values);
  const declared = { arguments: ['VERSION'], startCommand: false };

  it.each<[boolean, string, ReleaseValues, ReleaseValues, Partial<BuildInputs> | undefined]>([
    [true, 'the same values', git, git, {}],
    [true, 'other ports', { ...git, ports: [] }, git, {}],
    [true, 'another git account', withSource({ secretName: 'other' }), git, {}],
    [false, 'another branch', withSource({ ref: 'next' }), git, {}],
    [false, 'its commit', withSource({ ref: COMMIT }), git, {}],
    [false, 'another repository', withSource({ url: 'https://example.com/b.git' }), git, {}],
    [false, 'another build command', { ...git, build: { buildCommand: 'b' } }, git, {}],
    [false, 'other variables for the build', chosen, git, {}],
    [true, 'a changed variable', withEnv({ COLOUR: 'blue' }), git, {}],
    [true, 'a new variable', withEnv({ SIZE: 'small' }), git, {}],
    [true, 'no variables', { ...git, env: {} }, { ...git, env: { COLOUR: 'red' } }, {}],
    [false, 'a variable that frameworks copy', withEnv({ VITE_COLOUR: 'blue' }), git, {}],
    [false, 'the variable for fallback fonts', withFonts(git), git, {}],
    [false, 'that one, with chosen variables', withFonts(chosen), chosen, {}],
    [false, 'a removed one', { ...git, env: { COLOUR: 'red', VERSION: '1' } }, git, {}],
    [false, 'an argument of the Dockerfile', withEnv({ VERSION: '2' }), git, {}],
    [true, 'the same without a Dockerfile', withEnv({ VERSION: '2' }), git, { arguments: [] }],
    [false, 'a chosen variable', withEnv({ COLOUR: 'blue' }, chosen), chosen, {}],
    [true, 'one that was not chosen', withEnv({ VITE_COLOUR: 'blue' }, chosen), chosen, {}],
    [true, 'a start command', started, git, {}],
    [true, 'another start command', started, { ...git, run: { command: 'b' } }, {}],
    [false, 'a start command that decides the build', started, git, { startCommand: true }],
    [
      true,
      'another one of that kind',
      started,
      { ...git, run: { command: 'b' } },
      { startCommand: true },
    ],
    [false, 'a variable, of a build of an older version', withEnv({ A: '1' }), git, undefined],
    [false, 'a start command, of such a build', started, git, undefined],
    [true, 'a changed variable of an image', withEnv({ VITE_COLOUR: '1' }, image), image, {}],
    [
      false,
      'another image',
      { ...image, container: { ...image.container, image: 'nginx' } },
      image,
      {},
    ],
    [false, 'an image instead of a repository', image, git, {}],
  ])('is %s for %s', (isKept, _, values, newest, change) => {
    const inputs = change && { ...declared, ...change };
    expect(keepsBuild(values, { values: newest, revision: COMMIT, inputs })).toBe(isKept);
  });

  it('is false for a release that was never built', () => {
    expect(keepsBuild(git, { values: git, revision: undefined, inputs: undefined })).toBe(false);
  });

  function withSource(change: Partial<ReleaseValues['source']>): ReleaseValues {
    return { ...git, source: { ...git.source, ...change } };
  }
});
