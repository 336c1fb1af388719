import type { AppResource, Release } from '@longshore/contract';
import { type ReactNode, useState } from 'react';
import { useUser } from '../../client/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { retrying } from '../../ui/texts.ts';
import { MESSAGES } from './messages.ts';
import { releaseRows, type UnfinishedOutcome, unfinishedOutcome } from './model/release-rows.ts';
import { ReleaseItem } from './release-item.tsx';
import { RollbackDialog } from './rollback-dialog.tsx';
import { useRedeploy } from './use-redeploy.ts';
import type { ReleasesState } from './use-releases.ts';

type ReleasesCardProps = {
  app: AppResource;
  state: ReleasesState;
  /** Shows what the build of a release printed. */
  log(release: number, onClose: () => void): ReactNode;
  onSent(): void;
};

/** What ran, what failed and why, and the way back. */
export function ReleasesCard({ app, state, log, onSent }: ReleasesCardProps) {
  const [target, setTarget] = useState<Release>();
  const [read, setRead] = useState<Release>();
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
        state={state}
        unfinished={unfinishedOutcome(app)}
        onRollBack={setTarget}
        onRead={setRead}
      />
      {target !== undefined && newest !== undefined && (
        <RollbackDialog
          appId={app.id}
          newest={newest}
          target={target}
          onClose={() => setTarget(undefined)}
          onRolledBack={onSent}
        />
      )}
      {read !== undefined && log(read.number, () => setRead(undefined))}
    </Card>
  );
}

type ReleasesProps = {
  state: ReleasesState;
  unfinished: UnfinishedOutcome;
  onRollBack(release: Release): void;
  onRead(release: Release): void;
};

function Releases({ state, unfinished, onRollBack, onRead }: ReleasesProps) {
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
  const isCut = state.releases.at(-1)?.number !== 1;
  return (
    <ul className="max-h-[32rem] divide-y divide-line overflow-y-auto">
      {releaseRows(state.releases, { viewerId, unfinished }).map((row) => (
        <ReleaseItem
          key={row.release.number}
          row={row}
          onRollBack={() => onRollBack(row.release)}
          onRead={() => onRead(row.release)}
        />
      ))}
      {isCut && (
        <li className="px-4 py-3 text-xs text-faint">{MESSAGES.newest(state.releases.length)}</li>
      )}
    </ul>
  );
}
