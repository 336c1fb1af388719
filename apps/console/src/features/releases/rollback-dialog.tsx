import { type Release, releaseDiff } from '@longshore/contract';
import { useServices } from '../../client/session-context.tsx';
import { useRequest } from '../../client/use-request.ts';
import { shortRevision } from '../../lib/short-revision.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { DiffList } from './diff-list.tsx';
import { MESSAGES } from './messages.ts';
import { rolledBack } from './model/rolled-back.ts';

type RollbackDialogProps = {
  appId: string;
  newest: Release;
  target: Release;
  onClose(): void;
  onRolledBack(): void;
};

/** Shows what will be different before it happens. */
export function RollbackDialog(props: RollbackDialogProps) {
  const { appId, newest, target, onClose, onRolledBack } = props;
  const { releases } = useServices();
  const { isBusy, send } = useRequest((release: number) => releases.rollBack(appId, release));
  const toast = useToast();
  async function confirm() {
    const outcome = await send(target.number);
    if (outcome.ok) onRolledBack();
    else toast({ tone: 'bad', title: MESSAGES.rollBackFailed, text: outcome.error.message });
    onClose();
  }
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={`${MESSAGES.rollBackTo(target.number)}?`}
      confirmLabel={MESSAGES.rollBack}
      isHarmless
      isBusy={isBusy}
      onConfirm={() => void confirm()}
    >
      <p>{MESSAGES.rollback.reuses(target.number)}</p>
      <DiffList diff={releaseDiff(newest, rolledBack(target))} />
      <p>{MESSAGES.rollback.stays(shortRevision(target.revision ?? ''))}</p>
    </ConfirmDialog>
  );
}
