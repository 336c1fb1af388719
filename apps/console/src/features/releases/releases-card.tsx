import { type AppResource, isUploadUrl, type Release } from '@longshore/contract';
import { type ReactNode, useRef, useState } from 'react';
import { useUser } from '../../client/session-context.tsx';
import { useRegisterCommands } from '../../lib/commands.tsx';
import { copyText } from '../../lib/copy-text.ts';
import { useKeptFocus } from '../../lib/use-kept-focus.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Play, RefreshCw } from '../../ui/icons.tsx';
import type { MenuChoice } from '../../ui/menu.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { retrying } from '../../ui/texts.ts';
import { CancelBuildButton } from './cancel-build-button.tsx';
import { CompareDialog } from './compare-dialog.tsx';
import { MESSAGES } from './messages.ts';
import { type ReleaseRow, releaseRows, unfinishedOutcome } from './model/release-rows.ts';
import { ReleaseItem } from './release-item.tsx';
import { RollbackDialog } from './rollback-dialog.tsx';
import type { AppAction } from './use-redeploy.ts';
import type { ReleasesState } from './use-releases.ts';

type ReleasesCardProps = {
  app: AppResource;
  state: ReleasesState;
  /** Renders the build log of a release. */
  buildLog(release: number): ReactNode;
  restart: AppAction;
  redeploy: AppAction;
  onSent(): void;
};

/** The releases of an app, with restart, redeploy and rollback. */
export function ReleasesCard(props: ReleasesCardProps) {
  const { app, state, buildLog, restart, redeploy, onSent } = props;
  const [rollbackTarget, setRollbackTarget] = useState<Release>();
  const [compared, setCompared] = useState<Release>();
  const { id: viewerId } = useUser();
  const newest = state.kind === 'ready' ? state.releases[0] : undefined;
  const unfinished = unfinishedOutcome(app);
  const rows = state.kind === 'ready' ? releaseRows(state.releases, { viewerId, unfinished }) : [];
  useRegisterCommands([
    ...rows
      .filter(({ canRollBack }) => canRollBack)
      .map(({ release }) => ({
        label: MESSAGES.rollBackTo(release.number),
        run: () => setRollbackTarget(release),
      })),
    ...(newest !== undefined && rows.length > 1
      ? [{ label: MESSAGES.compare.command, run: () => setCompared(newest) }]
      : []),
  ]);
  const content = useRef<HTMLDivElement>(null);
  const keptFocus = useKeptFocus(content);
  return (
    <Card
      title={MESSAGES.title}
      actions={
        <div className="flex gap-2">
          <ActionButton action={restart} label={MESSAGES.restart} icon={Play} />
          <ActionButton action={redeploy} label={MESSAGES.redeploy} icon={RefreshCw} />
        </div>
      }
    >
      <div ref={content} tabIndex={-1} className="outline-none" {...keptFocus}>
        <Releases
          appId={app.id}
          state={state}
          rows={rows}
          canCancel={unfinished === 'retrying'}
          buildLog={buildLog}
          onRollBack={setRollbackTarget}
          onCompare={setCompared}
        />
      </div>
      {rollbackTarget !== undefined && newest !== undefined && (
        <RollbackDialog
          appId={app.id}
          newest={newest}
          target={rollbackTarget}
          onClose={() => setRollbackTarget(undefined)}
          onRolledBack={onSent}
        />
      )}
      {compared !== undefined && (
        <CompareDialog release={compared} rows={rows} onClose={() => setCompared(undefined)} />
      )}
    </Card>
  );
}

type ActionButtonProps = { action: AppAction; label: string; icon: typeof RefreshCw };

function ActionButton({ action, label, icon: Icon }: ActionButtonProps) {
  const { isDisabled, isBusy, send } = action;
  return (
    <Button size="small" isDisabled={isDisabled} isBusy={isBusy} onClick={send}>
      {!isBusy && <Icon size={14} aria-hidden="true" />}
      {label}
    </Button>
  );
}

type ReleasesProps = {
  appId: string;
  state: ReleasesState;
  rows: ReleaseRow[];
  /** The release in progress. While it is deployed, its own card has the button. */
  canCancel: boolean;
  buildLog(release: number): ReactNode;
  onRollBack(release: Release): void;
  onCompare(release: Release): void;
};

function Releases(props: ReleasesProps) {
  const { appId, state, rows, canCancel, buildLog, onRollBack, onCompare } = props;
  if (state.kind === 'loading') return <Skeleton className="m-4 h-10" />;
  if (state.kind === 'failed') {
    return (
      <p role="alert" className="px-4 py-3 text-muted">
        {MESSAGES.loadFailed}: {retrying(state.message)}
      </p>
    );
  }
  if (state.releases.length === 0) return <p className="px-4 py-3 text-muted">{MESSAGES.none}</p>;
  const { older } = state;
  return (
    <ul className="divide-y divide-line">
      {rows.map((row) => (
        <ReleaseItem
          key={row.release.number}
          row={row}
          cancel={canCancel && <CancelBuildButton appId={appId} release={row.release} isCommand />}
          buildLog={() => buildLog(row.release.number)}
          actions={actionsOf(row.release, rows.length > 1 ? onCompare : undefined)}
          onRollBack={() => onRollBack(row.release)}
        />
      ))}
      {older !== undefined && (
        <li className="flex flex-wrap items-center justify-between gap-2 px-4 py-3">
          <span className="text-xs text-faint">{MESSAGES.newest(rows.length)}</span>
          <Button size="small" isBusy={older.isLoading} onClick={older.load}>
            {MESSAGES.loadOlder}
          </Button>
        </li>
      )}
    </ul>
  );
}

function actionsOf(
  release: Release,
  onCompare: ((release: Release) => void) | undefined,
): MenuChoice[] {
  const { revision, values } = release;
  const copy =
    values.source.enabled && !isUploadUrl(values.source.url)
      ? MESSAGES.copyCommit
      : MESSAGES.copyDigest;
  return [
    ...(onCompare ? [{ label: MESSAGES.compare.action, onChoose: () => onCompare(release) }] : []),
    ...(revision ? [{ label: copy, onChoose: () => void copyText(revision) }] : []),
  ];
}
