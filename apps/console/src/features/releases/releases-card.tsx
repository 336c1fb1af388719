import type { Release } from '@longshore/contract';
import { useState } from 'react';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { MESSAGES } from './messages.ts';
import { releaseRows } from './model/release-rows.ts';
import { ReleaseItem } from './release-item.tsx';
import { RollbackDialog } from './rollback-dialog.tsx';
import { type ReleasesState, useReleases } from './use-releases.ts';

/** What ran, what failed and why, and the way back. */
export function ReleasesCard({ appId }: { appId: string }) {
  const state = useReleases(appId);
  const [target, setTarget] = useState<Release>();
  const newest = state.kind === 'ready' ? state.releases[0] : undefined;
  return (
    <Card title={MESSAGES.title}>
      <Releases state={state} onRollBack={setTarget} />
      {target !== undefined && newest !== undefined && (
        <RollbackDialog
          appId={appId}
          newest={newest}
          target={target}
          onClose={() => setTarget(undefined)}
        />
      )}
    </Card>
  );
}

type ReleasesProps = { state: ReleasesState; onRollBack(release: Release): void };

function Releases({ state, onRollBack }: ReleasesProps) {
  if (state.kind === 'loading') return <Skeleton className="m-4 h-10" />;
  if (state.kind === 'failed') {
    return (
      <p role="alert" className="px-4 py-3 text-muted">
        {MESSAGES.loadFailed}: {state.message}. Trying again…
      </p>
    );
  }
  if (state.releases.length === 0) return <p className="px-4 py-3 text-muted">{MESSAGES.none}</p>;
  return (
    <ul className="max-h-[32rem] divide-y divide-line overflow-y-auto">
      {releaseRows(state.releases).map((row) => (
        <ReleaseItem
          key={row.release.number}
          row={row}
          onRollBack={() => onRollBack(row.release)}
        />
      ))}
    </ul>
  );
}
