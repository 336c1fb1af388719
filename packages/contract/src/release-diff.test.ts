import { expect, it } from 'vitest';
import type { ReleaseMake } from './release.ts';
import { isSameMake, type ReleaseDiff, releaseDiff } from './release-diff.ts';

const git: ReleaseMake = {
  madeOf: {
    resourceTier: 't1',
    ports: [{ number: 3000, expose: true }],
    container: { image: 'nginx:latest', updatePolicy: 'Always', pullSecretName: '' },
    source: { enabled: true, url: 'https://example.com/a.git', ref: 'main', secretName: '' },
  },
  envMarks: { COLOUR: 1, TOKEN: 2 },
  revision: 'c0ffee',
};
const { source, container } = git.madeOf;
const make = (change: Partial<ReleaseMake['madeOf']>, rest: Partial<ReleaseMake> = {}) => ({
  ...git,
  ...rest,
  madeOf: { ...git.madeOf, ...change },
});
const image = make({ source: { ...source, enabled: false } }, { revision: 'sha256:ab' });
const nothing: ReleaseDiff = { settings: [], env: { added: [], removed: [], changed: [] } };

it.each<[string, ReleaseMake, ReleaseMake, Partial<ReleaseDiff>]>([
  ['nothing', git, make({}), {}],
  [
    'the branch and its commit',
    git,
    make({ source: { ...source, ref: 'next' } }, { revision: 'decaf' }),
    {
      settings: [
        { name: 'Ref', before: 'main', after: 'next' },
        { name: 'Commit', before: 'c0ffee', after: 'decaf' },
      ],
    },
  ],
  [
    'a commit that is not known yet',
    git,
    make({}, { revision: undefined }),
    { settings: [{ name: 'Commit', before: 'c0ffee', after: '' }] },
  ],
  [
    'nothing where only the public access differs',
    git,
    make({ ports: [{ number: 3000, expose: false }] }),
    {},
  ],
  [
    'ports and tier',
    git,
    make({ resourceTier: 't2', ports: [...git.madeOf.ports, { number: 9000, expose: false }] }),
    {
      settings: [
        { name: 'Ports', before: '3000', after: '3000, 9000 (internal)' },
        { name: 'Tier', before: 't1', after: 't2' },
      ],
    },
  ],
  ['the image that nobody used', git, make({ container: { ...container, image: 'httpd' } }), {}],
  [
    'a repository for an image',
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
    'variables, by their names',
    git,
    make({}, { envMarks: { COLOUR: 3, SIZE: 3, constructor: 3 } }),
    { env: { added: ['SIZE', 'constructor'], removed: ['TOKEN'], changed: ['COLOUR'] } },
  ],
])('tells %s', (_, before, after, diff) => {
  const found = releaseDiff(before, after);
  expect(found).toEqual({ ...nothing, ...diff });
  expect(isSameMake(found)).toBe(Object.keys(diff).length === 0);
});
