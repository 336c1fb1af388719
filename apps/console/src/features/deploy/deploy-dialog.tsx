import { type IntegrationResource, ROUTES } from '@longshore/contract';
import { useEffect, useReducer } from 'react';
import { useNavigate } from 'react-router';
import { useMutations } from '../../backend/live-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { WORDS } from '../../ui/words.ts';
import { ChooseStep } from './choose-step.tsx';
import { ConfigureStep } from './configure-step.tsx';
import { forgetDraft, recallDraft, rememberDraft } from './draft-storage.ts';
import { MESSAGES } from './messages.ts';
import { firstState, reduceWizard } from './model/wizard.ts';
import { RepositoryStep } from './repository-step.tsx';
import { useDraftSubmit } from './use-draft-submit.ts';

type DeployDialogProps = {
  projectId: string;
  integrations: IntegrationResource[];
  onClose(): void;
};

/** The wizard for a new app. After creating it goes to the app's page. */
export function DeployDialog({ projectId, integrations, onClose }: DeployDialogProps) {
  const navigate = useNavigate();
  const { createApp } = useMutations();
  const [state, dispatch] = useReducer(
    reduceWizard,
    projectId,
    (id) => recallDraft(localStorage, id) ?? firstState(),
  );
  useEffect(() => rememberDraft(localStorage, projectId, state), [projectId, state]);
  const { problems, isBusy, failure, submit } = useDraftSubmit({
    draft: state.draft,
    context: { projectId },
    send: createApp,
    failureToast: { title: MESSAGES.deployFailed },
    onSent(id) {
      forgetDraft(localStorage);
      void navigate(ROUTES.app(projectId, id));
    },
  });
  const integration = integrations.find(({ id }) => id === state.draft.selectedIntegration);
  const back = () => dispatch({ type: 'back' });
  const chooseManual = () => dispatch({ type: 'choose-manual' });

  return (
    <Dialog
      isOpen
      isWide
      onOpenChange={onClose}
      title={MESSAGES.deployApp}
      description={MESSAGES.step(state.step + 1, MESSAGES.steps[state.step])}
    >
      {state.step === 0 && (
        <ChooseStep
          integrations={integrations}
          onManual={chooseManual}
          onIntegration={(integration) => dispatch({ type: 'choose-integration', integration })}
        />
      )}
      {state.step === 1 && (
        <RepositoryStep
          integration={integration}
          onBack={back}
          onManual={chooseManual}
          onChoose={(repository) =>
            integration && dispatch({ type: 'choose-repository', repository, integration })
          }
        />
      )}
      {state.step === 2 && (
        <ConfigureStep
          draft={state.draft}
          problems={problems}
          integrations={integrations}
          failure={failure}
          action={MESSAGES.deploy}
          isBusy={isBusy}
          leading={
            <>
              <Button kind="ghost" onClick={() => dispatch({ type: 'reset' })}>
                {MESSAGES.reset}
              </Button>
              <Button onClick={back}>{WORDS.back}</Button>
            </>
          }
          onEvent={dispatch}
          onSubmit={() => void submit()}
        />
      )}
    </Dialog>
  );
}
