import { expect, it } from 'vitest';
import { anIntegration } from '../../../../test/resources.ts';
import { secretOptions } from './secret-options.ts';

const integrations = [
  anIntegration({ host: 'git.home' }),
  anIntegration({ account_name: 'ada', state: 'reconnect' }),
  anIntegration({ provider: 'dockerhub', type: 'docker', account_name: 'hub' }),
];

it('offers the accounts of one type by name, type and display name', () => {
  expect(secretOptions(integrations, 'ssh')).toEqual([
    { name: 'i1', type: 'ssh', displayName: 'acme (git.home)' },
    { name: 'i1', type: 'ssh', displayName: 'ada (GitLab, access expired)' },
  ]);
  expect(secretOptions(integrations, 'docker')).toEqual([
    { name: 'i1', type: 'docker', displayName: 'hub (Docker Hub)' },
  ]);
});
