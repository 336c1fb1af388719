import { type IntegrationResource, isGitProvider } from '@longshore/contract';
import { Dialog } from '../../ui/dialog.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { CodeHostTab } from './code-host-tab.tsx';
import { MESSAGES } from './messages.ts';
import { RegistryForm } from './registry-form.tsx';

type IntegrationDialogProps = {
  /** The account to reconnect. */
  reconnect?: IntegrationResource | undefined;
  onClose(): void;
};

/** Two tabs: a code host and a container registry (spec-map 2.12). */
export function IntegrationDialog({ reconnect, onClose }: IntegrationDialogProps) {
  const values = reconnect?.values;
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={reconnect === undefined ? MESSAGES.add : MESSAGES.reconnect}
      description={reconnect === undefined ? MESSAGES.dialogText : MESSAGES.reconnectText}
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
