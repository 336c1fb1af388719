import type { IntegrationResource } from '@longshore/contract';
import { Dialog } from '../../ui/dialog.tsx';
import { MESSAGES } from './messages.ts';
import { ResetButton } from './reset-button.tsx';
import { useDeployWizard } from './use-deploy-wizard.ts';
import { WizardSteps } from './wizard-steps.tsx';

type DeployDialogProps = {
  projectId: string;
  integrations: IntegrationResource[];
  onClose(): void;
};

/** The wizard for a new app, over the page. */
export function DeployDialog({ projectId, integrations, onClose }: DeployDialogProps) {
  const { state, submission, dispatch } = useDeployWizard(projectId);
  return (
    <Dialog
      isOpen
      isWide
      onOpenChange={onClose}
      title={MESSAGES.deployApp}
      description={MESSAGES.stepOf(state.step)}
    >
      <WizardSteps
        state={state}
        submission={submission}
        integrations={integrations}
        action={MESSAGES.deploy}
        leading={<ResetButton onReset={() => dispatch({ type: 'reset' })} />}
        onEvent={dispatch}
      />
    </Dialog>
  );
}
