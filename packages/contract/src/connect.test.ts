import { describe, expect, it } from 'vitest';
import {
  decodeAppsInUse,
  decodeBranches,
  decodeRefs,
  decodeRepositories,
  decodeTags,
  isConnectedAccount,
  isOauthTicket,
} from './connect.ts';

const repository = {
  id: '1',
  name: 'app',
  full_name: 'group/app',
  description: '',
  url: 'https://gitlab.com/group/app.git',
  sshUrl: 'git@gitlab.com:group/app.git',
  defaultBranch: 'main',
  isPrivate: true,
  activeAt: null,
};
const branch = { name: 'main', isDefault: true, commit: 'c0ffee' };
const ref = { commit: 'c0ffee', title: 'Begin', at: '2026-01-01T00:00:00Z' };
const tag = { name: 'v1', commit: 'c0ffee' };
const app = { id: 'a', name: 'web', projectId: 'p' };

const NO_ENTRIES = [null, 7, 'text', [], {}, { name: 7, commit: 7, full_name: {} }];
const NO_ANSWERS = [undefined, null, 7, '', [], {}, { repositories: {} }, { tags: 'v1', refs: 1 }];

describe.each<[string, (answer: unknown) => unknown, object]>([
  ['repositories', decodeRepositories, repository],
  ['branches', decodeBranches, branch],
  ['tags', decodeTags, tag],
])('%s', (name, decode, entry) => {
  it('are read, without what is none, and whether there are more', () => {
    const list = [...NO_ENTRIES, entry];
    expect(decode({ [name]: list, isCut: true })).toEqual({ [name]: [entry], isCut: true });
    expect(decode({ [name]: [], isCut: 1 })).toEqual({ [name]: [], isCut: false });
  });
  it.each(NO_ANSWERS)('are not found in %j', (answer) => {
    expect(decode(answer)).toBeUndefined();
  });
});

it('reads recent commits, without what is none', () => {
  expect(decodeRefs({ refs: [...NO_ENTRIES, ref] })).toEqual([ref]);
});

it.each(Object.keys(repository))('takes nothing for a repository whose %s is no text', (field) => {
  const repositories = [{ ...repository, [field]: {} }];
  expect(decodeRepositories({ repositories })).toEqual({ repositories: [], isCut: false });
});

it.each(NO_ANSWERS)('finds no commits in %j', (answer) => {
  expect(decodeRefs(answer)).toBeUndefined();
});

it('names the apps that use an integration, or none', () => {
  expect(decodeAppsInUse({ apps: [app, ...NO_ENTRIES] })).toEqual([app]);
  expect(decodeAppsInUse(null)).toEqual([]);
});

it.each([
  [{ id: '1', provider: 'gitea', account_name: 'ada' }, true],
  [{ id: '1', provider: 'bitbucket', account_name: 'ada' }, false],
  [{ id: 1, provider: 'gitea', account_name: 'ada' }, false],
  [null, false],
])('knows whether %j is a connected account', (value, isOne) => {
  expect(isConnectedAccount(value)).toBe(isOne);
});

it.each([
  [{ token: 't', url: '/login' }, true],
  [{ token: 't' }, false],
  ['t', false],
])('knows whether %j is a ticket', (value, isOne) => {
  expect(isOauthTicket(value)).toBe(isOne);
});
