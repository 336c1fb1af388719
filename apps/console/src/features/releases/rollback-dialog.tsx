import { type Release, releaseDiff, rollbackPin } from '@longshore/contract';
import { useServices } from '../../client/session-context.tsx';
import { useRequest } from '../../client/use-request.ts';
import { shortRevision } from '../../lib/short-revision.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { DiffList } from './diff-list.tsx';
import { MESSAGES } from './messages.ts';
import { rollbackInputs } from './model/release-rows.ts';

type RollbackDialogProps = {
  appId: string;
  newest: Release;
  target: Release;
  onClose(): void;
  onRolledBack(): void;
};

/** Shows what the rollback changes and asks for confirmation. */
export function RollbackDialog(props: RollbackDialogProps) {
  const { appId, newest, target, onClose, onRolledBack } = props;
  const { releases } = useServices();
  const { isBusy, send } = useRequest((release: number) => releases.rollBack(appId, release));
  const toast = useToast();
  const isPinned = rollbackPin(target) !== undefined;
  async function confirm() {
    const result = await send(target.number);
    if (result.ok) onRolledBack();
    else toast({ tone: 'bad', title: MESSAGES.rollBackFailed, text: result.error.message });
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
      <DiffList diff={releaseDiff(newest, rollbackInputs(target))} />
      {isPinned && target.values.source.enabled && <p>{MESSAGES.rollback.pushesPaused}</p>}
      <p>{MESSAGES.rollback.stays(shortRevision(target.revision ?? ''), isPinned)}</p>
    </ConfirmDialog>
  );
}
