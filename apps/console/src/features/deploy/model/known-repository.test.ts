import { expect, it } from 'vitest';
import { anIntegration } from '../../../../test/resources.ts';
import { type DeployDraft, emptyDraft } from './deploy-draft.ts';
import { knownRepository } from './known-repository.ts';

const integrations = [anIntegration({ host: 'git.home' })];

it.each<[Partial<DeployDraft>, string | undefined]>([
  [{ selectedRepository: 'acme/shop', sourceSecretName: 'i1' }, 'acme/shop'],
  [{ selectedRepository: 'acme/shop', sourceSecretName: 'gone' }, undefined],
  [{ isManualMode: true, sourceUrl: 'git@git.home:a/b.git', sourceSecretName: 'i1' }, 'a/b'],
  [{ isManualMode: true, sourceUrl: 'git@git.home:a/b.git' }, undefined],
  [{ isManualMode: true, sourceUrl: 'git@other.com:a/b.git', sourceSecretName: 'i1' }, undefined],
])('a draft of %j is about %s', (change, repository) => {
  const known = knownRepository({ ...emptyDraft(), ...change }, integrations);
  expect(known).toEqual(repository && { integrationId: 'i1', repository });
});
