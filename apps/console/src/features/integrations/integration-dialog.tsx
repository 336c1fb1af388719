import { type IntegrationResource, isGitProvider } from '@longshore/contract';
import { Dialog } from '../../ui/dialog.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { CodeHostTab } from './code-host-tab.tsx';
import { MESSAGES } from './messages.ts';
import { RegistryForm } from './registry-form.tsx';

type IntegrationDialogProps = {
  /** An account whose access ended, to be connected again. */
  again?: IntegrationResource | undefined;
  onClose(): void;
};

/** Spec §2, Integration dialog: a code-hosting provider, and a container registry. */
export function IntegrationDialog({ again, onClose }: IntegrationDialogProps) {
  const values = again?.values;
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={again === undefined ? MESSAGES.add : MESSAGES.reconnect}
      description={again === undefined ? MESSAGES.dialogText : MESSAGES.reconnectText}
    >
      <Tabs
        label={MESSAGES.kinds}
        first={values?.type === 'docker' ? 'registry' : 'code-host'}
        tabs={[
          {
            value: 'code-host',
            label: MESSAGES.codeHost,
            panel: (
              <CodeHostTab
                provider={isGitProvider(values?.provider) ? values.provider : 'gitlab'}
                host={values?.host}
                onDone={onClose}
              />
            ),
          },
          {
            value: 'registry',
            label: MESSAGES.registry,
            panel: (
              <RegistryForm
                host={values?.provider === 'registry' ? values.host : undefined}
                username={values?.type === 'docker' ? values.account_name : ''}
                onDone={onClose}
              />
            ),
          },
        ]}
      />
    </Dialog>
  );
}
