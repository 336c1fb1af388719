import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eventName, parsePush } from './parse-push.ts';

const COMMIT = 'c'.repeat(40);
const GITHUB = {
  ref: 'refs/heads/main',
  after: COMMIT,
  repository: {
    clone_url: 'https://github.com/ada/app.git',
    ssh_url: 'git@github.com:ada/app.git',
    html_url: 'https://github.com/ada/app',
    default_branch: 'main',
  },
};
const GITLAB = {
  ref: 'refs/tags/v1',
  after: COMMIT,
  project: {
    git_http_url: 'https://gitlab.com/group/app.git',
    git_ssh_url: 'git@gitlab.com:group/app.git',
    web_url: 'https://gitlab.com/group/app',
    default_branch: 'trunk',
  },
};

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));

it('reads a push of GitHub, Gitea and Forgejo', () => {
  expect(parsePush('push', bytes(GITHUB))).toEqual({
    ref: 'refs/heads/main',
    commit: COMMIT,
    urls: Object.values(GITHUB.repository).slice(0, 3),
    defaultBranch: 'main',
  });
});

it('reads a push from a form', () => {
  const form = Buffer.from(new URLSearchParams({ payload: JSON.stringify(GITHUB) }).toString());
  expect(parsePush('push', form)).toEqual(parsePush('push', bytes(GITHUB)));
});

it('does not read a form from a commit message', () => {
  const forged = JSON.stringify({ ...GITHUB, ref: 'refs/heads/forged' });
  const commits = [{ message: `a&payload=${encodeURIComponent(forged)}&b` }];
  expect(parsePush('push', bytes({ ...GITHUB, commits }))).toMatchObject({
    ref: 'refs/heads/main',
  });
});

it.each(['Push Hook', 'Tag Push Hook'])('reads a %s of GitLab', (event) => {
  expect(parsePush(event, bytes(GITLAB))).toEqual({
    ref: 'refs/tags/v1',
    commit: COMMIT,
    urls: Object.values(GITLAB.project).slice(0, 3),
    defaultBranch: 'trunk',
  });
});

const LONG = `Fix the mast\n\n${'and the sails '.repeat(500)}`;
const HEAD_COMMIT = { id: COMMIT, message: LONG, author: { name: 'Ada Lovelace' } };
it.each<[string, string, object, object]>([
  [
    'GitHub, which sends the login',
    'push',
    { ...GITHUB, pusher: { name: 'ada', email: 'ada@example.com' }, head_commit: HEAD_COMMIT },
    { by: 'ada', subject: 'Fix the mast' },
  ],
  [
    'Gitea, which sends the full name',
    'push',
    { ...GITHUB, pusher: { login: 'ada', full_name: 'Ada L.' }, head_commit: HEAD_COMMIT },
    { by: 'Ada L.', subject: 'Fix the mast' },
  ],
  [
    'a host that sends only the author',
    'push',
    { ...GITHUB, head_commit: HEAD_COMMIT },
    { by: 'Ada Lovelace', subject: 'Fix the mast' },
  ],
  [
    'GitLab, for the newest commit',
    'Push Hook',
    { ...GITLAB, user_name: 'Ada', commits: [{ id: 'd', message: 'Older' }, HEAD_COMMIT] },
    { by: 'Ada', subject: 'Fix the mast' },
  ],
  [
    'a host with another format',
    'push',
    { ...GITHUB, pusher: 'ada', head_commit: [7] },
    { by: undefined, subject: undefined },
  ],
  [
    'a payload with invisible and bidirectional characters',
    'Push Hook',
    { ...GITLAB, user_name: `\u202eada\0${'a'.repeat(99)}`, commits: 7 },
    { by: `ada ${'a'.repeat(55)}…`, subject: undefined },
  ],
])('reads pusher and commit subject from %s', (_, event, body, expected) => {
  const push = parsePush(event, bytes(body));
  expect({ by: push?.by, subject: push?.subject }).toEqual(expected);
});

it('detects a deleted branch', () => {
  const push = parsePush('push', bytes({ ...GITHUB, after: '0'.repeat(40) }));
  expect(push).toMatchObject({ commit: null });
});

it.each([
  ['another event', 'issues', bytes(GITHUB)],
  ['an event named like an object method', 'constructor', bytes(GITHUB)],
  ['invalid JSON', 'push', Buffer.from('push!')],
  ['no repository', 'push', bytes({ ...GITHUB, repository: undefined })],
  ['an invalid ref', 'push', bytes({ ...GITHUB, ref: 7 })],
  ['a ref with NUL', 'push', bytes({ ...GITHUB, ref: 'refs/heads/\0' })],
  ['a ref with a lone surrogate', 'push', bytes({ ...GITHUB, ref: 'refs/heads/\ud800' })],
])('finds no push in %s', (_, event, body) => {
  expect(parsePush(event, body)).toBeUndefined();
});

it('never throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      parsePush('push', Buffer.from(text));
    }),
  );
});

it.each([
  [{ 'x-gitlab-event': 'Push Hook' }, 'Push Hook'],
  [{ 'x-github-event': 'push', 'x-gitea-event': 'push' }, 'push'],
  [{ 'x-github-event': '<b>odd</b>' }, 'boddb'],
  [{ 'x-github-event': 'a'.repeat(60) }, 'a'.repeat(50)],
  [{}, 'unknown'],
])('reads the event name of %j as %s', (headers, event) => {
  expect(eventName(new Headers(headers))).toBe(event);
});
