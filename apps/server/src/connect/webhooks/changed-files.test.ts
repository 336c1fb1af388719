import { describe, expect, it } from 'vitest';
import {
  type BuildPayload,
  type PayloadCommit,
  PUSH_PAYLOADS,
} from '../../../test/connect/push-payloads.ts';
import { type Push, parsePush } from './parse-push.ts';

type Provider = keyof typeof PUSH_PAYLOADS;
const PROVIDERS = Object.keys(PUSH_PAYLOADS) as Provider[];
const { github, gitea, gitlab } = PUSH_PAYLOADS;

function parse(build: BuildPayload, commits: PayloadCommit[], change?: object): Push | undefined {
  const { event, body } = build(commits, change);
  return parsePush(event, Buffer.from(JSON.stringify(body)));
}

const filesOf = (...of: Parameters<typeof parse>) => parse(...of)?.files?.toSorted();

describe.each(PROVIDERS)('a push of %s', (provider) => {
  const build = PUSH_PAYLOADS[provider];
  const one = [{ modified: ['a'] }];

  it('names the changed and removed files of all its commits once', () => {
    const commits = [{ modified: ['a', 'b'] }, { removed: ['c'], modified: ['a'] }];
    expect(filesOf(build, commits)).toEqual(['a', 'b', 'c']);
  });

  it('has an empty list for an empty commit', () => {
    expect(filesOf(build, [{}])).toEqual([]);
  });

  it.each<[string, PayloadCommit[], object]>([
    ['of a new branch', one, { before: '0'.repeat(40) }],
    ['without the commit before', one, { before: undefined }],
    ['without commits, such as a reset branch', [], {}],
    ['without a list of commits', one, { commits: undefined }],
    ['with a malformed list of commits', one, { commits: [7] }],
    ['with a malformed list of files', [{ modified: 7 as never }], {}],
    ['with a path that cannot be stored', [{ modified: ['a\0'] }], {}],
    ['with a commit without lists', [{ modified: null as never }], {}],
    ['of many files', [{ modified: numbered(1_001) }], {}],
    ['of many long paths', [{ modified: numbered(30, 'x'.repeat(1_990)) }], {}],
  ])('does not know the files of a push %s', (_, commits, change) => {
    const push = parse(build, commits, change);
    expect(push).toMatchObject({ commit: 'c'.repeat(40) });
    expect(push).not.toHaveProperty('files');
  });

  it('knows 1,000 files', () => {
    expect(filesOf(build, [{ modified: numbered(1_000) }])).toHaveLength(1_000);
  });

  it.each([
    ['Fix a typo [skip deploy]', true],
    ['[deploy skip] Fix a typo', true],
    ['Fix a typo\n\nNobody sees it.\n[Skip Deploy]\n', true],
    ['Fix a typo [skip ci]', undefined],
    ['skip deploy', undefined],
    ['[skip  deploy]', undefined],
  ])('with the message %j has skipsDeploy %s', (message, skipsDeploy) => {
    expect(parse(build, [{ message }])?.skipsDeploy).toBe(skipsDeploy);
  });

  it('is not skipped because of an earlier commit', () => {
    const push = parse(build, [{ message: 'One [skip deploy]' }, { message: 'Two' }]);
    expect(push).toMatchObject({ subject: 'Two' });
    expect(push).not.toHaveProperty('skipsDeploy');
  });
});

it.each<[string, BuildPayload, number, object]>([
  ['GitHub sends 2,048 commits', github, 2_048, {}],
  ['GitHub reports a forced push', github, 1, { forced: true }],
  ['Gitea sends 5 of 6 commits', gitea, 5, { total_commits: 6 }],
  ['an old Gitea sends no number of commits', gitea, 5, { total_commits: undefined }],
  ['GitLab sends 20 of 21 commits', gitlab, 20, { total_commits_count: 21 }],
  ['GitLab sends no number of commits', gitlab, 1, { total_commits_count: undefined }],
])('does not know the files if %s', (_, build, count, change) => {
  const commits = Array.from({ length: count }, () => ({ modified: ['a'] }));
  expect(filesOf(build, commits, change)).toBeUndefined();
  expect(parse(build, commits, change)).toMatchObject({ ref: 'refs/heads/main' });
});

it.each<[Provider, string[] | undefined]>([
  ['github', ['apps/old', 'docs/new']],
  ['gitea', ['apps/old', 'docs/new']],
])('%s names both paths of a moved file', (provider, files) => {
  const moved = [{ removed: ['apps/old'], added: ['docs/new'] }];
  expect(filesOf(PUSH_PAYLOADS[provider], moved)).toEqual(files);
});

it('does not know the files of a push of GitLab that adds some: they may be moved from elsewhere', () => {
  expect(filesOf(gitlab, [{ modified: ['a'] }, { added: ['docs/new'] }])).toBeUndefined();
});

it('reads the message of a tag with a message of GitLab', () => {
  const { body } = gitlab([{ message: 'Release [skip deploy]' }], { after: 'd'.repeat(40) });
  const push = parsePush('Tag Push Hook', Buffer.from(JSON.stringify(body)));
  expect(push).toMatchObject({ skipsDeploy: true, subject: 'Release [skip deploy]' });
});

function numbered(count: number, prefix = ''): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`);
}
