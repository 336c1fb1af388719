import {
  DEFAULT_SOURCE_REF,
  type IntegrationResource,
  NO_UPLOAD_YET,
  type Repository,
} from '@longshore/contract';
import { type DeployDraft, emptyDraft } from './deploy-draft.ts';
import { addRow, changeRow, type EnvRow, pasteEnv, removeRow } from './env-rows.ts';
import { sshCloneUrl, suggestedAppName } from './repository.ts';

/** 0 choose a source, 1 pick a repository, 2 configure (spec-map 2.10). */
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

export function initialState(): WizardState {
  return { step: 0, draft: emptyDraft() };
}

/** What the user has chosen before the wizard opens. */
export type StartWay = 'git' | 'image' | 'upload';

/** The wizard of an image or an upload begins where its source is entered. */
export function startState(way: StartWay): WizardState {
  const draft = emptyDraft();
  switch (way) {
    case 'git':
      return { step: 0, draft };
    case 'image':
      return { step: 2, draft: { ...draft, isManualMode: true, deploymentType: 'docker' } };
    case 'upload':
      return { step: 2, draft: { ...draft, isManualMode: true, sourceUrl: NO_UPLOAD_YET } };
  }
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
      return chooseIntegration(state, event.integration);
    case 'choose-repository':
      return changed(pickRepository(event, draft), 2);
    case 'back':
      return { ...state, step: previousStep(state) };
    case 'change':
      return changed(event.change);
    case 'add-env':
      return changed({ envVars: addRow(draft.envVars) });
    case 'change-env':
      return changed({ envVars: changeRow(draft.envVars, event.id, event.change) });
    case 'remove-env':
      return changed({ envVars: removeRow(draft.envVars, event.id) });
    case 'paste-env':
      return changed({ envVars: pasteEnv(draft.envVars, event.id, event.text) });
    case 'reset':
      return initialState();
  }
}

/** A registry has no repositories to pick: the image is entered manually and pulled with its credentials. */
function chooseIntegration(
  { draft }: WizardState,
  { id, values }: IntegrationResource,
): WizardState {
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

type RepositoryPick = Extract<WizardEvent, { type: 'choose-repository' }>;

/** Picking the same repository again keeps later changes. */
function pickRepository(
  { repository, integration }: RepositoryPick,
  draft: DeployDraft,
): Partial<DeployDraft> {
  const before = draft.selectedRepository ?? '';
  const isSuggestedName = draft.appName === '' || draft.appName === suggestedAppName(before);
  const isSame = before === repository.full_name && draft.sourceSecretName === integration.id;
  const cloneUrls = { ssh: sshCloneUrl(integration.values, repository), https: repository.url };
  return {
    selectedRepository: repository.full_name,
    cloneUrls,
    sourceUrl: isSame ? draft.sourceUrl : cloneUrls.ssh,
    sourceRef: isSame ? draft.sourceRef : repository.defaultBranch || DEFAULT_SOURCE_REF,
    sourceSecretName: integration.id,
    appName: isSuggestedName ? suggestedAppName(repository.full_name) : draft.appName,
  };
}

function previousStep({ step, draft }: WizardState): Step {
  if (step === 2) return draft.isManualMode ? 0 : 1;
  return 0;
}
