import {
  type EnvChange,
  type Release,
  type ReleaseDiff,
  releaseDiff,
  rollbackPin,
} from '@longshore/contract';
import { useServices } from '../../client/session-context.tsx';
import { useRequest } from '../../client/use-request.ts';
import { shortRevision } from '../../lib/short-revision.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
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

const { diff: TEXTS } = MESSAGES;
const ENV_CHANGES = Object.keys(TEXTS.env) as EnvChange[];
const NAME = 'text-xs text-faint';
const VALUE = 'font-mono text-[0.8125rem] break-all text-text';

/** Settings before and after; variables by name only. */
function DiffList({ diff }: { diff: ReleaseDiff }) {
  return (
    <dl className="grid max-h-60 gap-2 overflow-y-auto rounded-box border border-line px-3 py-2">
      {diff.settings.map(({ name, before, after }) => (
        <div key={name}>
          <dt className={NAME}>{name}</dt>
          <dd className={VALUE}>
            <del className="text-muted">{shortRevision(before) || TEXTS.none}</del>
            <span aria-hidden="true"> → </span>
            <ins className="no-underline">{shortRevision(after) || TEXTS.none}</ins>
          </dd>
        </div>
      ))}
      {ENV_CHANGES.filter((change) => diff.env[change].length > 0).map((change) => (
        <div key={change}>
          <dt className={NAME}>{TEXTS.env[change]}</dt>
          <dd className={VALUE}>{diff.env[change].join(', ')}</dd>
        </div>
      ))}
    </dl>
  );
}
