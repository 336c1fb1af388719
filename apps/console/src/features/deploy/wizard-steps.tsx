import type { AppValues, Detected, IntegrationResource } from '@longshore/contract';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { BACK } from '../../ui/texts.ts';
import { ChooseStep } from './choose-step.tsx';
import { ConfigureStep } from './configure-step.tsx';
import type { Step, WizardEvent, WizardState } from './model/wizard.ts';
import { RepositoryStep } from './repository-step.tsx';
import type { DraftSubmission } from './use-draft-submit.ts';

type WizardStepsProps = {
  state: WizardState;
  submission: DraftSubmission;
  integrations: IntegrationResource[];
  /** By the last build of the app. */
  detected?: Detected | undefined;
  /** In update mode. */
  stored?: AppValues | undefined;
  action: string;
  /** Between the fields and the buttons of the last step. */
  note?: ReactNode;
  /** Before the Back button of the last step. */
  leading: ReactNode;
  /** On a page that has just opened, the wizard takes the focus only after the first step change. */
  isInline?: boolean;
  onEvent(event: WizardEvent): void;
};

/** The three steps, in a dialog or on a page (spec-map 2.10). */
export function WizardSteps(props: WizardStepsProps) {
  const { state, submission, integrations, action, note, leading, isInline = false } = props;
  const { detected, stored, onEvent } = props;
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
          envNotes={submission.envNotes}
          apps={submission.apps}
          integrations={integrations}
          detected={detected}
          stored={stored}
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
          onSubmit={submission.submit}
        />
      )}
    </div>
  );
}

/** Ignores the second click of a double click when the first one already changed the step. */
function useOneStepPerDoubleClick(frame: RefObject<HTMLElement | null>, step: Step): void {
  const clickedStep = useRef<Step>(step);
  useEffect(() => {
    const controller = new AbortController();
    function ignoreSecondClick(event: MouseEvent) {
      if (event.detail < 2) clickedStep.current = step;
      else if (clickedStep.current !== step) event.stopPropagation();
    }
    frame.current?.addEventListener('click', ignoreSecondClick, {
      capture: true,
      signal: controller.signal,
    });
    return () => controller.abort();
  }, [frame, step]);
}

const FIRST_CONTROL: Record<Step, 'button' | 'input'> = { 0: 'button', 1: 'input', 2: 'input' };

/** Focuses the first field or button of a step when it opens. */
function useStepFocus(
  step: Step,
  { isInline }: { isInline: boolean },
): RefObject<HTMLDivElement | null> {
  const frame = useRef<HTMLDivElement>(null);
  const focusedStep = useRef(isInline ? step : undefined);
  useEffect(() => {
    if (focusedStep.current === step) return;
    focusedStep.current = step;
    frame.current?.querySelector<HTMLElement>(FIRST_CONTROL[step])?.focus();
  }, [step]);
  return frame;
}
