import type { Repository } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import { anIntegration, aRepository } from '../../../../test/resources.ts';
import { initialState, reduceWizard, type WizardEvent, type WizardState } from './wizard.ts';

const manual = reduceWizard(initialState(), { type: 'choose-manual' });
const integration = anIntegration({ host: 'gitlab.com' });
const registry = anIntegration({ id: 'r1', provider: 'dockerhub', type: 'docker' });
const integrated = reduceWizard(initialState(), { type: 'choose-integration', integration });
const picked = pick(integrated, aRepository());
const back: WizardEvent = { type: 'back' };

function pick(state: WizardState, repository: Repository): WizardState {
  return reduceWizard(state, { type: 'choose-repository', repository, integration });
}

describe('the deploy wizard', () => {
  it.each<[string, number, WizardState]>([
    ['initially', 0, initialState()],
    ['after choosing manual deployment', 2, manual],
    ['after going back in manual mode', 0, reduceWizard(manual, back)],
    ['after choosing an integration', 1, integrated],
    ['after picking a repository', 2, picked],
    ['after going back from configure', 1, reduceWizard(picked, back)],
    ['after going back twice', 0, reduceWizard(reduceWizard(picked, back), back)],
    ['after going back from the first step', 0, reduceWizard(initialState(), back)],
  ])('%s is at step %i', (_, step, state) => {
    expect(state.step).toBe(step);
  });

  it('starts with the specified defaults', () => {
    const { draft } = initialState();
    expect(draft).toMatchObject({ sourceRef: 'main', port: '80', exposePort: true });
    expect(draft.envVars).toHaveLength(1);
  });

  it('keeps what was typed when going back and forth', () => {
    const typed = reduceWizard(manual, { type: 'change', change: { appName: 'shop' } });
    const again = reduceWizard(reduceWizard(typed, back), { type: 'choose-manual' });
    expect(again.draft.appName).toBe('shop');
  });

  it('stores the chosen integration and its type', () => {
    expect(integrated.draft).toMatchObject({
      selectedIntegration: 'i1',
      isManualMode: false,
      deploymentType: 'ssh',
    });
  });

  it('takes URL, branch, integration and name from the picked repository', () => {
    const repository = aRepository({ full_name: 'acme/web/Shop.js', defaultBranch: 'trunk' });
    expect(pick(integrated, repository).draft).toMatchObject({
      selectedRepository: 'acme/web/Shop.js',
      cloneUrls: {
        ssh: 'git@gitlab.com:acme/web/Shop.js.git',
        https: 'https://gitlab.com/acme/web/Shop.js.git',
      },
      sourceUrl: 'git@gitlab.com:acme/web/Shop.js.git',
      sourceRef: 'trunk',
      sourceSecretName: 'i1',
      appName: 'shop-js',
    });
  });

  it('keeps name, branch and URL when the same repository is picked again', () => {
    const sourceUrl = 'https://gitlab.com/acme/shop.git';
    const change = { appName: 'front', sourceRef: 'v2', sourceUrl };
    const typed = reduceWizard(picked, { type: 'change', change });
    expect(pick(typed, aRepository()).draft).toMatchObject(change);
  });

  it('takes branch and name of another repository, unless a name was entered', () => {
    const other = aRepository({ full_name: 'acme/blog', defaultBranch: 'dev' });
    expect(pick(picked, other).draft).toMatchObject({ appName: 'blog', sourceRef: 'dev' });
    const typed = reduceWizard(picked, { type: 'change', change: { appName: 'front' } });
    expect(pick(typed, other).draft).toMatchObject({ appName: 'front', sourceRef: 'dev' });
  });

  it('goes straight to configure for a registry, with its credentials', () => {
    const state = reduceWizard(initialState(), {
      type: 'choose-integration',
      integration: registry,
    });
    expect(state.step).toBe(2);
    expect(state.draft).toMatchObject({
      selectedIntegration: 'r1',
      isManualMode: true,
      deploymentType: 'docker',
      containerPullSecretName: 'r1',
    });
    expect(reduceWizard(state, back).step).toBe(0);
  });

  it('clears everything on reset', () => {
    expect(reduceWizard(picked, { type: 'reset' })).toEqual(initialState());
  });
});
