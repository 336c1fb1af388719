import { useState } from 'react';
import { errorText } from '../../client/error-text.ts';
import { useServices } from '../../client/session-context.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';
import type { IntegrationView } from './model/integration-view.ts';

const { removal: TEXTS } = MESSAGES;

type RemoveIntegrationDialogProps = { view: IntegrationView; onClose(): void };

/** Names the apps that use it. Where the server knows of more of them, it asks once more. */
export function RemoveIntegrationDialog({ view, onClose }: RemoveIntegrationDialogProps) {
  const { connect } = useServices();
  const toast = useToast();
  const [named, setNamed] = useState(view.usedBy);
  const [isBusy, setBusy] = useState(false);

  async function remove() {
    setBusy(true);
    const result = await connect.deleteIntegration(view.id, { isForced: named.length > 0 });
    if (!result.ok && result.error.apps !== undefined) {
      setNamed(result.error.apps.map((app) => app.name));
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
      confirmLabel={named.length === 0 ? TEXTS.confirm : TEXTS.confirmUsed}
      isBusy={isBusy}
      onConfirm={() => void remove()}
    >
      <p className="text-text">{TEXTS.question(view.provider)}</p>
      <p>{TEXTS.text}</p>
      {named.length > 0 && (
        <>
          <p>{TEXTS.used}</p>
          <ul className="max-h-40 list-disc overflow-y-auto pl-5 font-medium text-text">
            {[...new Set(named)].map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </>
      )}
    </ConfirmDialog>
  );
}
