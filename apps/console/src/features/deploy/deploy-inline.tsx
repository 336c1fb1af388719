import type { IntegrationResource } from '@longshore/contract';
import { useId } from 'react';
import { CARD_STYLE } from '../../ui/card.tsx';
import { MESSAGES } from './messages.ts';
import { ResetButton } from './reset-button.tsx';
import { useDeployWizard } from './use-deploy-wizard.ts';
import { WizardSteps } from './wizard-steps.tsx';

type DeployInlineProps = { projectId: string; integrations: IntegrationResource[] };

/** The wizard for the first app of a project, on its page. The dialog goes on with the same draft. */
export function DeployInline({ projectId, integrations }: DeployInlineProps) {
  const { state, submission, dispatch } = useDeployWizard(projectId);
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className={CARD_STYLE}>
      <header className="grid gap-0.5 border-b border-line px-5 py-4">
        <h2 id={titleId} className="text-base font-semibold">
          {MESSAGES.firstApp}
        </h2>
        <p className="text-muted">{MESSAGES.stepOf(state.step)}</p>
      </header>
      <WizardSteps
        isInline
        state={state}
        submission={submission}
        integrations={integrations}
        action={MESSAGES.deploy}
        leading={<ResetButton onReset={() => dispatch({ type: 'reset' })} />}
        onEvent={dispatch}
      />
    </section>
  );
}
