import { expect, it } from 'vitest';
import type { ReleaseInputs } from './release.ts';
import { isEmptyDiff, type ReleaseDiff, releaseDiff } from './release-diff.ts';

const git: ReleaseInputs = {
  values: {
    resourceTier: 't1',
    ports: [{ number: 3000, expose: true }],
    container: { image: 'nginx:latest', updatePolicy: 'Always', pullSecretName: '' },
    source: { enabled: true, url: 'https://example.com/a.git', ref: 'main', secretName: '' },
  },
  envVersions: { COLOUR: 1, TOKEN: 2 },
  revision: 'c0ffee',
};
const { source, container } = git.values;
const changed = (change: Partial<ReleaseInputs['values']>, rest: Partial<ReleaseInputs> = {}) => ({
  ...git,
  ...rest,
  values: { ...git.values, ...change },
});
const image = changed({ source: { ...source, enabled: false } }, { revision: 'sha256:ab' });
const nothing: ReleaseDiff = { settings: [], env: { added: [], removed: [], changed: [] } };

it.each<[string, ReleaseInputs, ReleaseInputs, Partial<ReleaseDiff>]>([
  ['nothing', git, changed({}), {}],
  [
    'the branch and its commit',
    git,
    changed({ source: { ...source, ref: 'next' } }, { revision: 'decaf' }),
    {
      settings: [
        { name: 'Ref', before: 'main', after: 'next' },
        { name: 'Commit', before: 'c0ffee', after: 'decaf' },
      ],
    },
  ],
  [
    'a commit that is not resolved yet',
    git,
    changed({}, { revision: undefined }),
    { settings: [{ name: 'Commit', before: 'c0ffee', after: '' }] },
  ],
  [
    'nothing when only public access differs',
    git,
    changed({ ports: [{ number: 3000, expose: false }] }),
    {},
  ],
  [
    'ports and size',
    git,
    changed({ resourceTier: 't2', ports: [...git.values.ports, { number: 9000, expose: false }] }),
    {
      settings: [
        { name: 'Ports', before: '3000', after: '3000, 9000 (internal)' },
        { name: 'Size', before: 't1', after: 't2' },
      ],
    },
  ],
  ['an unused image', git, changed({ container: { ...container, image: 'httpd' } }), {}],
  [
    'a change from repository to image',
    git,
    image,
    {
      settings: [
        { name: 'Repository', before: source.url, after: '' },
        { name: 'Ref', before: 'main', after: '' },
        { name: 'Commit', before: 'c0ffee', after: '' },
        { name: 'Image', before: '', after: 'nginx:latest' },
        { name: 'Digest', before: '', after: 'sha256:ab' },
      ],
    },
  ],
  [
    'variables by name',
    git,
    changed({}, { envVersions: { COLOUR: 3, SIZE: 3, constructor: 3 } }),
    { env: { added: ['SIZE', 'constructor'], removed: ['TOKEN'], changed: ['COLOUR'] } },
  ],
])('finds %s', (_, before, after, diff) => {
  const found = releaseDiff(before, after);
  expect(found).toEqual({ ...nothing, ...diff });
  expect(isEmptyDiff(found)).toBe(Object.keys(diff).length === 0);
});
