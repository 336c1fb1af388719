import { type AppResource, isHibernated, type Release } from '@longshore/contract';
import { type ReactNode, useState } from 'react';
import { useServices, useUser } from '../../client/session-context.tsx';
import { useRequest } from '../../client/use-request.ts';
import { useRegisterCommands } from '../../lib/commands.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { retrying } from '../../ui/texts.ts';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { CancelBuildButton } from './cancel-build-button.tsx';
import { MESSAGES } from './messages.ts';
import { releaseRows, type UnfinishedOutcome, unfinishedOutcome } from './model/release-rows.ts';
import { ReleaseItem } from './release-item.tsx';
import { RollbackDialog } from './rollback-dialog.tsx';
import type { ReleasesState } from './use-releases.ts';

type ReleasesCardProps = {
  app: AppResource;
  state: ReleasesState;
  /** Renders the build log of a release. */
  buildLog(release: number, onClose: () => void): ReactNode;
  onSent(): void;
};

/** The releases of an app, with redeploy and rollback. */
export function ReleasesCard({ app, state, buildLog, onSent }: ReleasesCardProps) {
  const [rollbackTarget, setRollbackTarget] = useState<Release>();
  const [openLog, setOpenLog] = useState<Release>();
  const { isDisabled, isBusy, redeploy } = useRedeploy(app, onSent);
  const newest = state.kind === 'ready' ? state.releases[0] : undefined;
  return (
    <Card
      title={MESSAGES.title}
      actions={
        <Button
          size="small"
          isDisabled={isDisabled}
          isBusy={isBusy}
          onClick={() => void redeploy()}
        >
          {MESSAGES.redeploy}
        </Button>
      }
    >
      <Releases
        appId={app.id}
        state={state}
        unfinished={unfinishedOutcome(app)}
        onRollBack={setRollbackTarget}
        onOpenLog={setOpenLog}
      />
      {rollbackTarget !== undefined && newest !== undefined && (
        <RollbackDialog
          appId={app.id}
          newest={newest}
          target={rollbackTarget}
          onClose={() => setRollbackTarget(undefined)}
          onRolledBack={onSent}
        />
      )}
      {openLog !== undefined && buildLog(openLog.number, () => setOpenLog(undefined))}
    </Card>
  );
}

type ReleasesProps = {
  appId: string;
  state: ReleasesState;
  unfinished: UnfinishedOutcome;
  onRollBack(release: Release): void;
  onOpenLog(release: Release): void;
};

function Releases({ appId, state, unfinished, onRollBack, onOpenLog }: ReleasesProps) {
  const { id: viewerId } = useUser();
  if (state.kind === 'loading') return <Skeleton className="m-4 h-10" />;
  if (state.kind === 'failed') {
    return (
      <p role="alert" className="px-4 py-3 text-muted">
        {MESSAGES.loadFailed}: {retrying(state.message)}
      </p>
    );
  }
  if (state.releases.length === 0) return <p className="px-4 py-3 text-muted">{MESSAGES.none}</p>;
  const isTruncated = state.releases.at(-1)?.number !== 1;
  return (
    <ul className="max-h-[32rem] divide-y divide-line overflow-y-auto">
      {releaseRows(state.releases, { viewerId, unfinished }).map((row) => (
        <ReleaseItem
          key={row.release.number}
          row={row}
          cancel={
            unfinished !== 'paused' && (
              <CancelBuildButton appId={appId} release={row.release} isCommand />
            )
          }
          onRollBack={() => onRollBack(row.release)}
          onOpenLog={() => onOpenLog(row.release)}
        />
      ))}
      {isTruncated && (
        <li className="px-4 py-3 text-xs text-faint">{MESSAGES.newest(state.releases.length)}</li>
      )}
    </ul>
  );
}

/** Deploys the app again from its current branch or tag. Also a command of the palette. */
function useRedeploy(app: AppResource, onSent: () => void) {
  const { releases } = useServices();
  const { isBusy, send } = useRequest(releases.redeploy);
  const toast = useToast();
  const isDisabled = app.status === 'syncing' || isHibernated(app.values);

  async function redeploy(): Promise<void> {
    const result = await send(app.id);
    if (result.ok) onSent();
    else toast({ tone: 'bad', title: MESSAGES.redeployFailed, text: result.error.message });
  }

  const label = MESSAGES.redeployApp(app.values.name);
  const command = { label, needsConfirmation: true as const, run: () => void redeploy() };
  useRegisterCommands(isDisabled || isBusy ? [] : [command]);
  return { isDisabled, isBusy, redeploy };
}
