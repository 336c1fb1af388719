import { useState } from 'react';
import { errorText } from '../../client/error-text.ts';
import { useServices } from '../../client/session-context.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';
import type { IntegrationView } from './model/integration-view.ts';

const { removal: TEXTS } = MESSAGES;

type RemoveIntegrationDialogProps = { view: IntegrationView; onClose(): void };

/** Lists the apps that use the integration. If the server reports others, it asks for confirmation again. */
export function RemoveIntegrationDialog({ view, onClose }: RemoveIntegrationDialogProps) {
  const { connect } = useServices();
  const toast = useToast();
  const [appNames, setAppNames] = useState(view.usedBy);
  const [isBusy, setBusy] = useState(false);

  async function remove() {
    setBusy(true);
    const result = await connect.deleteIntegration(view.id, { isForced: appNames.length > 0 });
    if (!result.ok && result.error.apps !== undefined) {
      setAppNames(result.error.apps.map((app) => app.name));
      setBusy(false);
      return;
    }
    if (!result.ok) {
      const { title, text } = TEXTS.failed;
      toast({ tone: 'bad', title, text: errorText(result.error) || text });
    }
    onClose();
  }

  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={TEXTS.title}
      confirmLabel={appNames.length === 0 ? TEXTS.confirm : TEXTS.confirmUsed}
      isBusy={isBusy}
      onConfirm={() => void remove()}
    >
      <p className="text-text">{TEXTS.question(view.provider)}</p>
      <p>{TEXTS.text}</p>
      {appNames.length > 0 && (
        <>
          <p>{TEXTS.used}</p>
          <ul className="max-h-40 list-disc overflow-y-auto pl-5 font-medium text-text">
            {[...new Set(appNames)].map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </>
      )}
    </ConfirmDialog>
  );
}
