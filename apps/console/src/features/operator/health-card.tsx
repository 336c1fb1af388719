import type { OperatorService } from '@longshore/client';
import type { SystemHealth } from '@longshore/contract';
import { type ReactNode, useCallback, useEffect } from 'react';
import { useQuery } from '../../client/use-query.ts';
import { Button } from '../../ui/button.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { MESSAGES } from './messages.ts';
import { bytesText } from './model/amounts.ts';
import { QueryCard } from './query-card.tsx';

const { health: TEXTS } = MESSAGES;
const REFRESH_EVERY_MS = 15_000;

/** The state of the installation, refreshed while it is shown. */
export function HealthCard({ operator }: { operator: OperatorService }) {
  const load = useCallback((signal: AbortSignal) => operator.health({ signal }), [operator]);
  const query = useQuery(load);
  const { reload } = query;
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, REFRESH_EVERY_MS);
    return () => clearInterval(timer);
  }, [reload]);
  return (
    <QueryCard
      title={TEXTS.title}
      skeleton="h-40"
      query={query}
      actions={
        <Button size="small" onClick={reload}>
          {TEXTS.refresh}
        </Button>
      }
    >
      {(health) => (
        <dl className="grid grid-cols-1 gap-x-6 gap-y-4 p-4 sm:grid-cols-2 lg:grid-cols-4">
          {factsOf(health).map(([name, value]) => (
            <div key={name} className="min-w-0">
              <dt className="text-xs text-faint">{name}</dt>
              <dd className="break-words tabular-nums">{value}</dd>
            </div>
          ))}
          <div className="min-w-0 sm:col-span-2 lg:col-span-4">
            <dt className="text-xs text-faint">{TEXTS.names.isolation}</dt>
            <dd>
              <Isolation missing={health.missingIsolation} />
            </dd>
          </div>
        </dl>
      )}
    </QueryCard>
  );
}

function factsOf(health: SystemHealth): [string, ReactNode][] {
  const { names } = TEXTS;
  const { engine, database, edge, disk, builds } = health;
  const kind = (TEXTS.engines as Record<string, string>)[engine.kind] ?? engine.kind;
  const free =
    disk && TEXTS.disk(bytesText(disk.totalBytes - disk.usedBytes), bytesText(disk.totalBytes));
  return [
    [names.version, health.version],
    [names.engine, engine.version === null ? kind : `${kind} ${engine.version}`],
    [names.node, health.nodeVersion],
    [names.uptime, <TimeAgo key="at" at={health.startedAt} />],
    [
      names.database,
      database.isEmbedded ? TEXTS.embedded(database.version) : TEXTS.external(database.version),
    ],
    [names.size, bytesText(database.bytes)],
    [names.disk, free ?? TEXTS.unknown],
    [names.edge, edge === null ? TEXTS.noEdge : TEXTS.edge(edge.workers, edge.build)],
    [names.users, health.users],
    [names.builds, TEXTS.builds(builds.running, builds.waiting)],
    [names.reconciling, health.reconciling],
  ];
}

function Isolation({ missing }: { missing: string[] }) {
  if (missing.length === 0) return TEXTS.isolated;
  return (
    <>
      <p className="text-bad">{TEXTS.notIsolated}</p>
      <ul className="list-disc pl-5 text-muted">
        {missing.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  );
}
