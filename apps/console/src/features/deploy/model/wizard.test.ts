import { describe, expect, it } from 'vitest';
import { anIntegration } from '../../../testing/resources.ts';
import { firstState, reduceWizard, type WizardEvent, type WizardState } from './wizard.ts';

const manual = reduceWizard(firstState(), { type: 'choose-manual' });
const integrated = reduceWizard(firstState(), {
  type: 'choose-integration',
  integration: anIntegration(),
});
const picked = reduceWizard(integrated, { type: 'choose-repository', fullName: 'acme/shop' });
const back: WizardEvent = { type: 'back' };

describe('the deploy wizard', () => {
  it.each<[string, WizardState, number]>([
    ['at first', firstState(), 0],
    ['after choosing manual deployment', manual, 2],
    ['going back in manual mode', reduceWizard(manual, back), 0],
    ['after choosing an integration', integrated, 1],
    ['after picking a repository', picked, 2],
    ['going back from there', reduceWizard(picked, back), 1],
    ['going back twice', reduceWizard(reduceWizard(picked, back), back), 0],
    ['going back from the first step', reduceWizard(firstState(), back), 0],
  ])('%s is at the right step', (_, state, step) => {
    expect(state.step).toBe(step);
  });

  it('starts with the specified defaults', () => {
    const { draft } = firstState();
    expect(draft).toMatchObject({ sourceRef: 'main', port: '80', exposePort: true });
    expect(draft.envVars).toHaveLength(1);
  });

  it('keeps what was typed when going back and forth', () => {
    const typed = reduceWizard(manual, { type: 'change', change: { appName: 'shop' } });
    const again = reduceWizard(reduceWizard(typed, back), { type: 'choose-manual' });
    expect(again.draft.appName).toBe('shop');
  });

  it('forgets everything on reset', () => {
    expect(reduceWizard(picked, { type: 'reset' })).toEqual(firstState());
  });
});
