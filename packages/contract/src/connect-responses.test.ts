import { describe, expect, it } from 'vitest';
import {
  decodeBranches,
  decodeDependentApps,
  decodeRefs,
  decodeRepositories,
  decodeTags,
  isConnectedAccount,
  isOauthTicket,
} from './connect-responses.ts';

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

const MALFORMED_ENTRIES = [null, 7, 'text', [], {}, { name: 7, commit: 7, full_name: {} }];
const MALFORMED_BODIES = [
  undefined,
  null,
  7,
  '',
  [],
  {},
  { repositories: {} },
  { tags: 'v1', refs: 1 },
];

describe.each<[string, (body: unknown) => unknown, object]>([
  ['repositories', decodeRepositories, repository],
  ['branches', decodeBranches, branch],
  ['tags', decodeTags, tag],
])('%s', (name, decode, entry) => {
  it('are decoded without malformed entries, with the truncation flag', () => {
    const list = [...MALFORMED_ENTRIES, entry];
    expect(decode({ [name]: list, isCut: true })).toEqual({ [name]: [entry], isCut: true });
    expect(decode({ [name]: [], isCut: 1 })).toEqual({ [name]: [], isCut: false });
  });
  it.each(MALFORMED_BODIES)('are undefined for %j', (body) => {
    expect(decode(body)).toBeUndefined();
  });
});

it('decodes recent commits and skips malformed entries', () => {
  expect(decodeRefs({ refs: [...MALFORMED_ENTRIES, ref] })).toEqual([ref]);
});

it.each(Object.keys(repository))('skips a repository whose %s has the wrong type', (field) => {
  const repositories = [{ ...repository, [field]: {} }];
  expect(decodeRepositories({ repositories })).toEqual({ repositories: [], isCut: false });
});

it.each(MALFORMED_BODIES)('returns no commits for %j', (body) => {
  expect(decodeRefs(body)).toBeUndefined();
});

it('decodes the apps that use an integration', () => {
  expect(decodeDependentApps({ apps: [app, ...MALFORMED_ENTRIES] })).toEqual([app]);
  expect(decodeDependentApps(null)).toEqual([]);
});

it.each([
  [{ id: '1', provider: 'gitea', account_name: 'ada' }, true],
  [{ id: '1', provider: 'bitbucket', account_name: 'ada' }, false],
  [{ id: 1, provider: 'gitea', account_name: 'ada' }, false],
  [null, false],
])('%j is a connected account: %s', (value, expected) => {
  expect(isConnectedAccount(value)).toBe(expected);
});

it.each([
  [{ token: 't', url: '/login' }, true],
  [{ token: 't' }, false],
  ['t', false],
])('%j is an OAuth ticket: %s', (value, expected) => {
  expect(isOauthTicket(value)).toBe(expected);
});
