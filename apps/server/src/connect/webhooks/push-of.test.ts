import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eventOf, pushOf } from './push-of.ts';

const COMMIT = 'c'.repeat(40);
const HUB = {
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
  expect(pushOf('push', bytes(HUB))).toEqual({
    ref: 'refs/heads/main',
    commit: COMMIT,
    urls: Object.values(HUB.repository).slice(0, 3),
    defaultBranch: 'main',
  });
});

it('reads it out of a form too', () => {
  const form = Buffer.from(new URLSearchParams({ payload: JSON.stringify(HUB) }).toString());
  expect(pushOf('push', form)).toEqual(pushOf('push', bytes(HUB)));
});

it('takes no form out of what somebody wrote into a commit', () => {
  const forged = JSON.stringify({ ...HUB, ref: 'refs/heads/forged' });
  const commits = [{ message: `a&payload=${encodeURIComponent(forged)}&b` }];
  expect(pushOf('push', bytes({ ...HUB, commits }))).toMatchObject({ ref: 'refs/heads/main' });
});

it.each(['Push Hook', 'Tag Push Hook'])('reads a %s of GitLab', (event) => {
  expect(pushOf(event, bytes(GITLAB))).toEqual({
    ref: 'refs/tags/v1',
    commit: COMMIT,
    urls: Object.values(GITLAB.project).slice(0, 3),
    defaultBranch: 'trunk',
  });
});

const LONG = `Mend the mast\n\n${'and the sails '.repeat(500)}`;
const MEND = { id: COMMIT, message: LONG, author: { name: 'Ada Lovelace' } };
it.each<[string, string, object, object]>([
  [
    'GitHub, which tells the login',
    'push',
    { ...HUB, pusher: { name: 'ada', email: 'ada@example.com' }, head_commit: MEND },
    { by: 'ada', subject: 'Mend the mast' },
  ],
  [
    'Gitea, which tells the whole name',
    'push',
    { ...HUB, pusher: { login: 'ada', full_name: 'Ada L.' }, head_commit: MEND },
    { by: 'Ada L.', subject: 'Mend the mast' },
  ],
  [
    'a host that tells only the author',
    'push',
    { ...HUB, head_commit: MEND },
    { by: 'Ada Lovelace', subject: 'Mend the mast' },
  ],
  [
    'GitLab, of the newest of its commits',
    'Push Hook',
    { ...GITLAB, user_name: 'Ada', commits: [{ id: 'd', message: 'Older' }, MEND] },
    { by: 'Ada', subject: 'Mend the mast' },
  ],
  [
    'a host that tells them in a way of its own',
    'push',
    { ...HUB, pusher: 'ada', head_commit: [7] },
    { by: undefined, subject: undefined },
  ],
  [
    'somebody who would hide or turn text',
    'Push Hook',
    { ...GITLAB, user_name: `\u202eada\0${'a'.repeat(99)}`, commits: 7 },
    { by: `ada ${'a'.repeat(55)}…`, subject: undefined },
  ],
])('tells who pushed what, by the word of %s', (_, event, body, told) => {
  const push = pushOf(event, bytes(body));
  expect({ by: push?.by, subject: push?.subject }).toEqual(told);
});

it('sees that a branch was deleted', () => {
  const push = pushOf('push', bytes({ ...HUB, after: '0'.repeat(40) }));
  expect(push).toMatchObject({ commit: null });
});

it.each([
  ['another event', 'issues', bytes(HUB)],
  ['an event named as a method is', 'constructor', bytes(HUB)],
  ['what is no JSON', 'push', Buffer.from('push!')],
  ['no repository', 'push', bytes({ ...HUB, repository: undefined })],
  ['a ref that is none', 'push', bytes({ ...HUB, ref: 7 })],
  ['a ref no database can keep', 'push', bytes({ ...HUB, ref: 'refs/heads/\0' })],
  ['a ref with half a character', 'push', bytes({ ...HUB, ref: 'refs/heads/\ud800' })],
])('finds no push in %s', (_, event, body) => {
  expect(pushOf(event, body)).toBeUndefined();
});

it('throws at no body', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      pushOf('push', Buffer.from(text));
    }),
  );
});

it.each([
  [{ 'x-gitlab-event': 'Push Hook' }, 'Push Hook'],
  [{ 'x-github-event': 'push', 'x-gitea-event': 'push' }, 'push'],
  [{ 'x-github-event': '<b>odd</b>' }, 'boddb'],
  [{ 'x-github-event': 'a'.repeat(60) }, 'a'.repeat(50)],
  [{}, 'unknown'],
])('calls %j %s', (headers, event) => {
  expect(eventOf(new Headers(headers))).toBe(event);
});
