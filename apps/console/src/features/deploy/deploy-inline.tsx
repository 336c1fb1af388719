import type { IntegrationResource } from '@longshore/contract';
import { Card } from '../../ui/card.tsx';
import { MESSAGES } from './messages.ts';
import { ResetButton } from './reset-button.tsx';
import { useDeployWizard } from './use-deploy-wizard.ts';
import { WizardSteps } from './wizard-steps.tsx';

type DeployInlineProps = { projectId: string; integrations: IntegrationResource[] };

/** The wizard for the first app of a project, on its page. The dialog goes on with the same draft. */
export function DeployInline({ projectId, integrations }: DeployInlineProps) {
  const { state, submission, dispatch } = useDeployWizard(projectId);
  return (
    <Card
      title={MESSAGES.firstApp}
      actions={<p className="text-muted">{MESSAGES.stepOf(state.step)}</p>}
    >
      <WizardSteps
        isInline
        state={state}
        submission={submission}
        integrations={integrations}
        action={MESSAGES.deploy}
        leading={<ResetButton onReset={() => dispatch({ type: 'reset' })} />}
        onEvent={dispatch}
      />
    </Card>
  );
}
