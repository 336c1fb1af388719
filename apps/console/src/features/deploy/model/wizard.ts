import { DEFAULT_SOURCE_REF, type IntegrationResource, type Repository } from '@longshore/contract';
import { appNameOf } from './app-name-of.ts';
import { type DeployDraft, emptyDraft } from './deploy-draft.ts';
import { type EnvRow, withChange, withoutRow, withPasted, withRow } from './env-rows.ts';
import { sshCloneUrl } from './ssh-clone-url.ts';

/** 0 choose, 1 repository, 2 configure. Spec §2, Deploy wizard. */
export type Step = 0 | 1 | 2;
export type WizardState = { step: Step; draft: DeployDraft };

export type WizardEvent =
  | { type: 'choose-manual' }
  | { type: 'choose-integration'; integration: IntegrationResource }
  | { type: 'choose-repository'; repository: Repository; integration: IntegrationResource }
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
    case 'choose-integration':
      return chosen(state, event.integration);
    case 'choose-repository':
      return changed(changeTo(event, draft), 2);
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

/** A registry has no repositories to pick from: the image is typed, so that is manual mode, with its secret. */
function chosen({ draft }: WizardState, { id, values }: IntegrationResource): WizardState {
  const isRegistry = values.type === 'docker';
  return {
    step: isRegistry ? 2 : 1,
    draft: {
      ...draft,
      isManualMode: isRegistry,
      selectedIntegration: id,
      deploymentType: values.type,
      ...(isRegistry && { containerPullSecretName: id }),
    },
  };
}

type Pick = Extract<WizardEvent, { type: 'choose-repository' }>;

/** Picking the same one again keeps what was typed since. */
function changeTo({ repository, integration }: Pick, draft: DeployDraft): Partial<DeployDraft> {
  const before = draft.selectedRepository ?? '';
  const isNamedByUs = draft.appName === '' || draft.appName === appNameOf(before);
  const isSame = before === repository.full_name && draft.sourceSecretName === integration.id;
  const cloneUrls = { ssh: sshCloneUrl(integration.values, repository), https: repository.url };
  return {
    selectedRepository: repository.full_name,
    cloneUrls,
    sourceUrl: isSame ? draft.sourceUrl : cloneUrls.ssh,
    sourceRef: isSame ? draft.sourceRef : repository.defaultBranch || DEFAULT_SOURCE_REF,
    sourceSecretName: integration.id,
    appName: isNamedByUs ? appNameOf(repository.full_name) : draft.appName,
  };
}

function stepBefore({ step, draft }: WizardState): Step {
  if (step === 2) return draft.isManualMode ? 0 : 1;
  return 0;
}
