import { expect, it } from 'vitest';
import { appValues } from '../../../test/values.ts';
import { decideDelivery, type ReceivedDelivery } from './decide-delivery.ts';
import type { Push } from './parse-push.ts';
import { repositoryPath } from './repository-path.ts';

const COMMIT = 'c'.repeat(40);
const values = appValues('project');
const source = { ...values.source, url: 'git@git.example.com:group/sub/app.git', ref: 'main' };
const watchPaths = ['apps/web/**'];
const push: Push = {
  ref: 'refs/heads/main',
  commit: COMMIT,
  urls: ['https://git.example.com/group/sub/app.git'],
  defaultBranch: 'main',
};
const delivery: ReceivedDelivery = {
  event: 'push',
  push,
  values: { ...values, source },
  pin: undefined,
  deployedCommit: 'b'.repeat(40),
};

it.each<[string, Partial<ReceivedDelivery>, string]>([
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
    'a push while the app is hibernated',
    { values: { ...values, source, instances: 0 } },
    'Commit cccccccccccc was pushed to main; it is deployed when the app wakes',
  ],
  ['the deployed commit in a replay', { deployedCommit: undefined }, 'was pushed to main'],
  [
    'a repository URL with other host and case',
    { push: { ...push, urls: ['https://other.example/Group/Sub/App'] } },
    'was pushed to main',
  ],
  [
    'a push that changes a watched file',
    {
      push: { ...push, files: ['docs/a.md', 'apps/web/b.ts'] },
      values: { ...values, source, watchPaths },
    },
    'Commit cccccccccccc was pushed to main',
  ],
  [
    'a push whose changed files are not all known',
    { values: { ...values, source, watchPaths } },
    'Commit cccccccccccc was pushed to main; Watch paths were not applied, because the provider did not list all changed files',
  ],
  [
    'a push of any file without watch paths',
    { push: { ...push, files: ['docs/a.md'] } },
    'Commit cccccccccccc was pushed to main',
  ],
])('deploys %s', (_, change, reason) => {
  const decision = decideDelivery({ ...delivery, ...change });
  expect(decision).toEqual({ outcome: 'deployed', reason: expect.stringMatching(`${reason}$`) });
});

it.each<[string, Partial<ReceivedDelivery>, string]>([
  [
    'a ping',
    { event: 'ping', push: undefined },
    'Only push events deploy the app; this is a "ping" event',
  ],
  ['a push that cannot be parsed', { push: undefined }, 'The push could not be parsed'],
  [
    'another repository',
    { push: { ...push, urls: ['https://git.example.com/group/app.git'] } },
    'The push is for another repository',
  ],
  [
    'another branch',
    { push: { ...push, ref: 'refs/heads/next' } },
    'The push is to next; the app is deployed from main',
  ],
  [
    'the default branch, when another one is configured',
    { values: { ...values, source: { ...source, ref: 'next' } } },
    'The push is to main; the app is deployed from next',
  ],
  ['a deleted branch', { push: { ...push, commit: null } }, 'main was deleted'],
  ['the deployed commit', { deployedCommit: COMMIT }, 'Commit cccccccccccc is already deployed'],
  [
    'an app pinned to a commit',
    { values: { ...values, source: { ...source, ref: COMMIT } } },
    'The app is pinned to a commit',
  ],
  [
    'a push to the branch of an app that was rolled back',
    {
      values: { ...values, source: { ...source, ref: COMMIT } },
      pin: { release: 3, follows: 'main' },
    },
    'Push to deploy is paused: rolled back to release 3 (commit ccccccc). Newer commits wait.',
  ],
  [
    'a push to another branch of an app that was rolled back',
    {
      values: { ...values, source: { ...source, ref: COMMIT } },
      pin: { release: 3, follows: 'next' },
    },
    'The push is to main; the app is deployed from next',
  ],
  [
    'an app deployed from an image',
    { values: { ...values, source: { ...source, enabled: false } } },
    'The app is deployed from an image, not from a repository',
  ],
  [
    'a push whose last commit says so',
    { push: { ...push, skipsDeploy: true, files: ['apps/web/b.ts'] } },
    'The message of commit cccccccccccc contains [skip deploy]',
  ],
  [
    'a push that changes no watched file',
    {
      push: { ...push, files: ['docs/a.md', 'apps/webshop/b.ts'] },
      values: { ...values, source, watchPaths },
    },
    'No changed file matches the setting Watch paths',
  ],
  [
    'an empty commit, with watch paths',
    { push: { ...push, files: [] }, values: { ...values, source, watchPaths } },
    'No changed file matches the setting Watch paths',
  ],
  [
    'a push to another branch that says not to deploy it',
    { push: { ...push, ref: 'refs/heads/next', skipsDeploy: true } },
    'The push is to next; the app is deployed from main',
  ],
])('ignores %s', (_, change, reason) => {
  expect(decideDelivery({ ...delivery, ...change })).toEqual({ outcome: 'ignored', reason });
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
