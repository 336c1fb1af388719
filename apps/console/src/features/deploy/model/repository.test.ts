import { appNameProblem } from '@longshore/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anIntegration, aRepository } from '../../../../test/resources.ts';
import { type DeployDraft, emptyDraft } from './deploy-draft.ts';
import {
  connectedRepository,
  refChoices,
  repositoryInUrl,
  sshCloneUrl,
  suggestedAppName,
} from './repository.ts';

const integrations = [anIntegration({ host: 'git.home' })];

it.each<[Partial<DeployDraft>, string | undefined]>([
  [{ selectedRepository: 'acme/shop', sourceSecretName: 'i1' }, 'acme/shop'],
  [{ selectedRepository: 'acme/shop', sourceSecretName: 'gone' }, undefined],
  [{ isManualMode: true, sourceUrl: 'git@git.home:a/b.git', sourceSecretName: 'i1' }, 'a/b'],
  [{ isManualMode: true, sourceUrl: 'git@git.home:a/b.git' }, undefined],
  [{ isManualMode: true, sourceUrl: 'git@other.com:a/b.git', sourceSecretName: 'i1' }, undefined],
])('the repository of the draft %j is %s', (change, repository) => {
  const connected = connectedRepository({ ...emptyDraft(), ...change }, integrations);
  expect(connected).toEqual(repository && { integrationId: 'i1', repository });
});

it.each([
  ['git@git.home:acme/shop.git', 'acme/shop'],
  ['ssh://git@git.home:2222/acme/web/shop.git', 'acme/web/shop'],
  [' https://Git.Home/acme/shop/ ', 'acme/shop'],
  ['http://git.home:3000/acme/shop.git', 'acme/shop'],
  ['https://ada@git.home/acme/shop', 'acme/shop'],
  ['https://elsewhere.com/acme/shop', undefined],
  ['https://elsewhere.com/@git.home:acme/shop', undefined],
  ['git@git.home:', undefined],
  ['https://git.home/', undefined],
  ['', undefined],
])('the repository in %j is %s', (url, repository) => {
  expect(repositoryInUrl(url, 'git.home:8443')).toBe(repository);
});

it.each([
  ['gitlab', 'gitlab.com', '', 'git@gitlab.com:acme/web/shop.git'],
  ['github', 'github.com', '', 'git@github.com:acme/web/shop.git'],
  ['gitlab', undefined, '', 'git@gitlab.com:acme/web/shop.git'],
  ['gitlab', 'git.home:8443', '', 'git@git.home:acme/web/shop.git'],
  [
    'gitlab',
    'gitlab.com',
    'git@elsewhere.com:acme/web/shop.git',
    'git@gitlab.com:acme/web/shop.git',
  ],
  [
    'gitlab',
    'git.home',
    'ssh://git@git.home:2222/acme/web/shop.git',
    'ssh://git@git.home:2222/acme/web/shop.git',
  ],
  ['gitea', 'git.home', 'forgejo@git.home:acme/web/shop.git', 'forgejo@git.home:acme/web/shop.git'],
  ['gitea', 'git.home', '', 'git@git.home:acme/web/shop.git'],
] as const)(
  'the ssh clone URL of %s at %s with ssh URL %j is %s',
  (provider, host, sshUrl, url) => {
    const repository = aRepository({ full_name: 'acme/web/shop', sshUrl });
    expect(sshCloneUrl({ provider, ...(host && { host }) }, repository)).toBe(url);
  },
);

it.each([
  ['acme/shop', 'shop'],
  ['acme/web/Shop_Front.js', 'shop-front-js'],
  ['acme/.github', 'github'],
  ['acme/店', ''],
])('the suggested app name for %s is %j', (repository, name) => {
  expect(suggestedAppName(repository)).toBe(name);
});

it('a suggested app name is valid or empty', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 90 }), (repository) => {
      const name = suggestedAppName(repository);
      expect(name === '' || appNameProblem(name) === undefined).toBe(true);
    }),
  );
});

it('lists the default branch first, then branches, then tags', () => {
  const commit = 'c'.repeat(40);
  const branches = [
    { name: 'dev', isDefault: false, commit },
    { name: 'trunk', isDefault: true, commit },
  ];
  expect(refChoices(branches, [{ name: 'v1', commit }])).toEqual([
    { value: 'trunk', note: 'default branch' },
    { value: 'dev', note: 'branch' },
    { value: 'v1', note: 'tag' },
  ]);
});
