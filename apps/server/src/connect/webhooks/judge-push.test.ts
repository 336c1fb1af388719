import { expect, it } from 'vitest';
import { appValues } from '../../../test/values.ts';
import { type Judged, judgePush } from './judge-push.ts';
import type { Push } from './push-of.ts';
import { repositoryPath } from './repository-path.ts';

const COMMIT = 'c'.repeat(40);
const values = appValues('project');
const source = { ...values.source, url: 'git@git.example.com:group/sub/app.git', ref: 'main' };
const push: Push = {
  ref: 'refs/heads/main',
  commit: COMMIT,
  urls: ['https://git.example.com/group/sub/app.git'],
  defaultBranch: 'main',
};
const judged: Judged = {
  event: 'push',
  push,
  values: { ...values, source },
  deployedCommit: 'b'.repeat(40),
};

it.each<[string, Partial<Judged>, string]>([
  ['a push to its branch', {}, 'Commit cccccccccccc was pushed to main'],
  [
    'a push to its tag',
    {
      push: { ...push, ref: 'refs/tags/v1' },
      values: { ...values, source: { ...source, ref: 'v1' } },
    },
    'Commit cccccccccccc was pushed to v1',
  ],
  [
    'a push to a branch with slashes',
    {
      push: { ...push, ref: 'refs/heads/feature/a' },
      values: { ...values, source: { ...source, ref: 'feature/a' } },
    },
    'Commit cccccccccccc was pushed to feature/a',
  ],
  [
    'a push to the default branch, where main may be missing',
    { push: { ...push, ref: 'refs/heads/trunk', defaultBranch: 'trunk' } },
    'Commit cccccccccccc was pushed to trunk',
  ],
  [
    'a push while it sleeps',
    { values: { ...values, source, instances: 0 } },
    'Commit cccccccccccc was pushed to main; it runs once the app wakes',
  ],
  ['what it is made of, when asked to', { deployedCommit: undefined }, 'was pushed to main'],
  [
    'a repository spelt otherwise',
    { push: { ...push, urls: ['https://other.example/Group/Sub/App'] } },
    'was pushed to main',
  ],
])('deploys %s', (_, change, reason) => {
  const verdict = judgePush({ ...judged, ...change });
  expect(verdict).toMatchObject({ outcome: 'deployed', reason: expect.stringContaining(reason) });
});

it.each<[string, Partial<Judged>, string]>([
  ['a ping', { event: 'ping', push: undefined }, 'Only pushes deploy, and this is "ping"'],
  ['what cannot be read', { push: undefined }, 'The push could not be read'],
  [
    'another repository',
    { push: { ...push, urls: ['https://git.example.com/group/app.git'] } },
    'It is of another repository',
  ],
  [
    'another branch',
    { push: { ...push, ref: 'refs/heads/next' } },
    'It is a push to next, and the app follows main',
  ],
  [
    'the default branch, when it follows another one',
    { values: { ...values, source: { ...source, ref: 'next' } } },
    'It is a push to main, and the app follows next',
  ],
  ['a deleted branch', { push: { ...push, commit: null } }, 'main was deleted'],
  ['what it is made of', { deployedCommit: COMMIT }, 'Commit cccccccccccc is deployed already'],
  [
    'an app at one commit',
    { values: { ...values, source: { ...source, ref: COMMIT } } },
    'The app stays at one commit, whatever is pushed',
  ],
  [
    'an app of an image',
    { values: { ...values, source: { ...source, enabled: false } } },
    'The app is made of an image, not of a repository',
  ],
])('does nothing for %s', (_, change, reason) => {
  expect(judgePush({ ...judged, ...change })).toEqual({ outcome: 'ignored', reason });
});

it.each([
  ['git@host:group/sub/app.git', 'group/sub/app'],
  ['ssh://git@host:2222/group/app.git', 'group/app'],
  ['https://host/group/app', 'group/app'],
  ['https://host/group/app.git/', 'group/app'],
  ['https://host/group/caf%C3%A9.git', 'group/café'],
  ['https://host/', undefined],
  ['https://host/%E0', undefined],
  ['nothing', undefined],
])('finds the repository of %s', (url, name) => {
  expect(repositoryPath(url)).toBe(name);
});
