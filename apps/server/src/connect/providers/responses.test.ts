import { isRepository } from '@longshore/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  GithubBranch,
  GithubCommit,
  GithubRepository,
  GithubTag,
} from './github-compatible/github-responses.ts';
import { GitlabBranch, GitlabCommit, GitlabProject, GitlabTag } from './gitlab/gitlab-responses.ts';

const PROJECT = {
  id: 7,
  path: 'app',
  path_with_namespace: 'team/sub/app',
  description: 'A shop',
  http_url_to_repo: 'https://gitlab.com/team/sub/app.git',
  ssh_url_to_repo: 'git@gitlab.com:team/sub/app.git',
  default_branch: 'main',
  visibility: 'private',
  last_activity_at: '2026-02-03T04:05:06.789+02:00',
};
const REPOSITORY = {
  id: 7,
  name: 'app',
  full_name: 'team/app',
  description: 'A shop',
  clone_url: 'https://github.com/team/app.git',
  ssh_url: 'git@github.com:team/app.git',
  default_branch: 'main',
  private: true,
  pushed_at: '2026-02-03T02:05:06Z',
  updated_at: '2026-03-03T02:05:06Z',
};
const SHA = 'c0ffee'.repeat(6);

describe.each<[string, z.ZodType, Record<string, unknown>, string[]]>([
  ['gitlab', GitlabProject, PROJECT, ['id', 'path', 'path_with_namespace', 'http_url_to_repo']],
  ['github', GithubRepository, REPOSITORY, ['id', 'name', 'full_name', 'clone_url']],
])('a repository of %s', (_name, schema, body, required) => {
  const read = (change: object) => schema.safeParse({ ...body, ...change });

  it.each(Object.keys(body))(
    'accepts an invalid value of %s only if the field is optional',
    (field) => {
      for (const invalid of [undefined, null, {}, [], true, '']) {
        const { success, data } = read({ [field]: invalid });
        const isOptional = !required.includes(field);
        expect({ invalid, success }).toEqual({ invalid, success: isOptional });
        if (success) expect(isRepository(data)).toBe(true);
      }
    },
  );

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'git@host:a/b', 'ssh://host/a', 'nowhere'])(
    'is rejected with the clone URL %s',
    (url) => {
      expect(read({ http_url_to_repo: url, clone_url: url }).success).toBe(false);
    },
  );

  it('is truncated, and private if its visibility is unknown', () => {
    expect(read({ description: 'x'.repeat(9_999) }).data).toMatchObject({
      description: 'x'.repeat(1_000),
    });
    expect(read({ visibility: 7, private: 7 }).data).toMatchObject({ isPrivate: true });
    expect(read({ path_with_namespace: 'x'.repeat(501), full_name: 'x'.repeat(501) }).success).toBe(
      false,
    );
  });

  it('rejects any other value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { success, data } = schema.safeParse(value);
        expect(!success || isRepository(data)).toBe(true);
      }),
    );
  });
});

it('reads the last activity from GitLab, and the last push or update from the others', () => {
  expect(GitlabProject.parse(PROJECT).activeAt).toBe('2026-02-03T02:05:06.789Z');
  expect(GithubRepository.parse(REPOSITORY).activeAt).toBe('2026-02-03T02:05:06.000Z');
  const gitea = { ...REPOSITORY, pushed_at: undefined };
  expect(GithubRepository.parse(gitea).activeAt).toBe('2026-03-03T02:05:06.000Z');
  expect(GithubRepository.parse({ ...gitea, updated_at: 'soon' }).activeAt).toBeNull();
});

it.each<[z.ZodType, unknown, boolean]>([
  [GitlabBranch, { name: 'a/b', default: true, commit: { id: SHA } }, true],
  [GitlabBranch, { name: 'a/b', commit: { id: '--upload-pack=x' } }, false],
  [GitlabBranch, { name: '', commit: { id: SHA } }, false],
  [GitlabTag, { name: 'v1', commit: { id: SHA } }, true],
  [GitlabTag, { name: 'v1', commit: null }, false],
  [GithubBranch, { name: 'a/b', commit: { sha: SHA } }, true],
  [GithubBranch, { name: 'a/b', commit: { id: SHA } }, true],
  [GithubBranch, { name: 'a/b', commit: { id: 7 } }, false],
  [GithubTag, { name: 'v1', commit: { sha: SHA } }, true],
  [GithubTag, { name: ['v1'], commit: { sha: SHA } }, false],
  [GitlabCommit, { id: SHA, title: null, committed_date: null }, true],
  [GitlabCommit, { id: 'HEAD' }, false],
  [GithubCommit, { sha: SHA, commit: { message: 'a\n\nb', committer: { date: '2026' } } }, true],
  [GithubCommit, { sha: SHA }, false],
])('validates case %#', (schema, body, isValid) => {
  expect(schema.safeParse(body).success).toBe(isValid);
});

it('uses the first line of a commit message', () => {
  const body = { sha: SHA, commit: { message: 'Begin\n\nMore', committer: { date: null } } };
  expect(GithubCommit.parse(body)).toEqual({ commit: SHA, title: 'Begin', at: null });
});
