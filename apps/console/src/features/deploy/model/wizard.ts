import type { IntegrationResource } from '@longshore/contract';
import { type DeployDraft, emptyDraft } from './deploy-draft.ts';
import { type EnvRow, withChange, withoutRow, withPasted, withRow } from './env-rows.ts';

/** 0 choose, 1 repository, 2 configure. Spec §2, Deploy wizard. */
export type Step = 0 | 1 | 2;
export type WizardState = { step: Step; draft: DeployDraft };

export type WizardEvent =
  | { type: 'choose-manual' }
  | { type: 'choose-integration'; integration: IntegrationResource }
  | { type: 'choose-repository'; fullName: string }
  | { type: 'back' }
  | { type: 'change'; change: Partial<DeployDraft> }
  | { type: 'add-env' }
  | { type: 'change-env'; id: string; change: Partial<EnvRow> }
  | { type: 'remove-env'; id: string }
  | { type: 'paste-env'; id: string; text: string }
  | { type: 'reset' };

export function firstState(): WizardState {
  return { step: 0, draft: emptyDraft() };
}

export function reduceWizard(state: WizardState, event: WizardEvent): WizardState {
  const { draft } = state;
  const changed = (change: Partial<DeployDraft>, step = state.step): WizardState => ({
    step,
    draft: { ...draft, ...change },
  });
  switch (event.type) {
    case 'choose-manual':
      return changed({ isManualMode: true, selectedIntegration: undefined }, 2);
    case 'choose-integration': {
      const { id, values } = event.integration;
      return changed(
        { isManualMode: false, selectedIntegration: id, deploymentType: values.type },
        1,
      );
    }
    case 'choose-repository':
      return changed({ selectedRepository: event.fullName }, 2);
    case 'back':
      return { ...state, step: stepBefore(state) };
    case 'change':
      return changed(event.change);
    case 'add-env':
      return changed({ envVars: withRow(draft.envVars) });
    case 'change-env':
      return changed({ envVars: withChange(draft.envVars, event.id, event.change) });
    case 'remove-env':
      return changed({ envVars: withoutRow(draft.envVars, event.id) });
    case 'paste-env':
      return changed({ envVars: withPasted(draft.envVars, event.id, event.text) });
    case 'reset':
      return firstState();
  }
}

function stepBefore({ step, draft }: WizardState): Step {
  if (step === 2) return draft.isManualMode ? 0 : 1;
  return 0;
}
