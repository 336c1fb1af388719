import { Download, WrapText } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { LogsTarget } from '../../backend/backend.ts';
import { Card } from '../../ui/card.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { downloadLines } from './download-lines.ts';
import { LogSearch } from './log-search.tsx';
import { LogViewport } from './log-viewport.tsx';
import { MESSAGES } from './messages.ts';
import { createHitFinder, positionOf } from './model/log-hits.ts';
import { filteredLines, hasBothSources, type LogFilter, stepped } from './model/log-view.ts';
import { useLogStream } from './use-log-stream.ts';

const FILTERS: { value: LogFilter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'app', label: 'App' },
  { value: 'build', label: 'Build' },
];

/** The live log of one app, with its filters and search. */
export function LogExplorer({ projectId, appId }: LogsTarget) {
  const { lines, isReconnecting, error } = useLogStream({ projectId, appId });
  const [wishedFilter, setFilter] = useState<LogFilter>('all');
  const [search, setSearch] = useState('');
  const [hit, setHit] = useState(0);
  const [isWrapped, setWrapped] = useState(true);
  const canFilter = useMemo(() => hasBothSources(lines), [lines]);
  const filter = canFilter ? wishedFilter : 'all';
  const shown = useMemo(() => filteredLines(lines, filter), [lines, filter]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter is another list
  const findHits = useMemo(() => createHitFinder(search), [search, filter]);
  const hits = useMemo(() => findHits(shown), [findHits, shown]);
  return (
    <Card
      title={MESSAGES.title}
      actions={
        <div className="flex flex-wrap items-center gap-2 max-sm:w-full">
          {isReconnecting && <span className="text-xs text-faint">{MESSAGES.reconnecting}</span>}
          {canFilter && (
            <Segmented<LogFilter>
              label="Log filter"
              value={filter}
              options={FILTERS}
              onChange={setFilter}
            />
          )}
          <LogSearch
            search={search}
            hit={Math.min(hit, Math.max(0, hits.length - 1))}
            hitCount={hits.length}
            onSearch={(next) => {
              setSearch(next);
              setHit(0);
            }}
            onStep={(step) => setHit(stepped(hit, step, hits.length))}
          />
          <IconButton
            label="Wrap lines"
            aria-pressed={isWrapped}
            onClick={() => setWrapped(!isWrapped)}
          >
            <WrapText size={16} aria-hidden="true" />
          </IconButton>
          <IconButton label="Download" onClick={() => downloadLines(shown, `${appId}.log`)}>
            <Download size={16} aria-hidden="true" />
          </IconButton>
        </div>
      }
    >
      {error !== undefined && (
        <p role="alert" className="border-b border-line px-4 py-3 text-bad">
          {error}
        </p>
      )}
      {shown.length === 0 ? (
        <p className="grid h-40 place-items-center text-muted">
          {error === undefined && MESSAGES.waiting}
        </p>
      ) : (
        <LogViewport
          key={isWrapped ? 'wrapped' : 'straight'}
          label={MESSAGES.title}
          lines={shown}
          search={search}
          current={positionOf(shown, hits[hit])}
          isWrapped={isWrapped}
          hasSource={canFilter && filter === 'all'}
          className="h-[28rem]"
        />
      )}
    </Card>
  );
}
