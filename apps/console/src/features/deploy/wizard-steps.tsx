import type { IntegrationResource } from '@longshore/contract';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { BACK } from '../../ui/texts.ts';
import { ChooseStep } from './choose-step.tsx';
import { ConfigureStep } from './configure-step.tsx';
import type { WizardEvent, WizardState } from './model/wizard.ts';
import { RepositoryStep } from './repository-step.tsx';
import type { DraftSubmission } from './use-draft-submit.ts';
import { useOneStepPerDoubleClick } from './use-one-step-per-double-click.ts';
import { useStepFocus } from './use-step-focus.ts';

type WizardStepsProps = {
  state: WizardState;
  submission: DraftSubmission;
  integrations: IntegrationResource[];
  action: string;
  /** Stands between the fields and the buttons of the last step. */
  note?: ReactNode;
  /** Stands before Back in the last step. */
  leading: ReactNode;
  /** On a page of other things the focus stays where it is until a step is taken. */
  isInline?: boolean;
  onEvent(event: WizardEvent): void;
};

/** The three steps, in a dialog or inline. Spec §2, Deploy wizard. */
export function WizardSteps(props: WizardStepsProps) {
  const { state, submission, integrations, action, note, leading, isInline = false } = props;
  const { onEvent } = props;
  const frame = useStepFocus(state.step, { isInline });
  useOneStepPerDoubleClick(frame, state.step);
  const integration = integrations.find(({ id }) => id === state.draft.selectedIntegration);
  const back = () => onEvent({ type: 'back' });
  const chooseManual = () => onEvent({ type: 'choose-manual' });

  return (
    <div ref={frame} className="contents">
      {state.step === 0 && (
        <ChooseStep
          integrations={integrations}
          onManual={chooseManual}
          onIntegration={(chosen) => onEvent({ type: 'choose-integration', integration: chosen })}
        />
      )}
      {state.step === 1 && (
        <RepositoryStep
          integration={integration}
          onBack={back}
          onManual={chooseManual}
          onChoose={(repository) =>
            integration && onEvent({ type: 'choose-repository', repository, integration })
          }
        />
      )}
      {state.step === 2 && (
        <ConfigureStep
          draft={state.draft}
          problems={submission.problems}
          integrations={integrations}
          failure={submission.failure}
          action={action}
          isBusy={submission.isBusy}
          note={note}
          leading={
            <>
              {leading}
              <Button onClick={back}>{BACK}</Button>
            </>
          }
          onEvent={onEvent}
          onSubmit={() => void submission.submit()}
        />
      )}
    </div>
  );
}
