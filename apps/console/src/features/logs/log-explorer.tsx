import type { AppRef } from '@longshore/client';
import { useMemo, useState } from 'react';
import { Card } from '../../ui/card.tsx';
import { downloadLines } from './download-lines.ts';
import { type LogLook, LogToolbar } from './log-toolbar.tsx';
import { LogViewport } from './log-viewport.tsx';
import { MESSAGES } from './messages.ts';
import type { NumberedLine } from './model/log-buffer.ts';
import { positionOf } from './model/log-hits.ts';
import {
  filteredLines,
  hasBothSources,
  type LogFilter,
  linesAfter,
  stepped,
} from './model/log-view.ts';
import { useLogHits } from './use-log-hits.ts';
import { useLogStream } from './use-log-stream.ts';

/** The live log of one app, with its filters and search. */
export function LogExplorer({ projectId, appId }: AppRef) {
  const { lines: streamed, isReconnecting, error } = useLogStream({ projectId, appId });
  const [held, setHeld] = useState<NumberedLine[]>();
  const [wishedFilter, setFilter] = useState<LogFilter>('all');
  const [search, setSearch] = useState('');
  const [hit, setHit] = useState(0);
  const [look, setLook] = useState<LogLook>({ isWrapped: true, hasTimes: false });
  const lines = held ?? streamed;
  const canFilter = useMemo(() => hasBothSources(lines), [lines]);
  const filter = canFilter ? wishedFilter : 'all';
  const shown = useMemo(() => filteredLines(lines, filter), [lines, filter]);
  const hits = useLogHits(shown, search, filter);
  const note = held === undefined ? undefined : MESSAGES.paused(linesAfter(streamed, held));
  return (
    <Card
      title={MESSAGES.title}
      actions={
        <div className="flex flex-wrap items-center gap-2 max-sm:contents">
          <span className="text-xs text-faint" role="status">
            {isReconnecting ? MESSAGES.reconnecting : note}
          </span>
          <LogToolbar
            filter={canFilter ? filter : undefined}
            search={{
              search,
              hit: Math.min(hit, Math.max(0, hits.length - 1)),
              hitCount: hits.length,
              onSearch(next) {
                setSearch(next);
                setHit(0);
              },
              onStep: (step) => setHit(stepped(hit, step, hits.length)),
            }}
            look={look}
            isPaused={held !== undefined}
            canTellTimes={shown.length === 0 || shown.at(-1)?.at !== undefined}
            onFilter={setFilter}
            onLook={setLook}
            onPause={(isPaused) => setHeld(isPaused ? streamed : undefined)}
            onDownload={() => downloadLines(shown, `${appId}.log`)}
          />
        </div>
      }
    >
      {error !== undefined && (
        <p role="alert" className="border-b border-line px-4 py-3 text-bad">
          {error}
        </p>
      )}
      {shown.length === 0 ? (
        <p className="grid h-log place-items-center text-muted">
          {error === undefined && MESSAGES.waiting}
        </p>
      ) : (
        <LogViewport
          key={look.isWrapped ? 'wrapped' : 'straight'}
          label={MESSAGES.title}
          lines={shown}
          search={search}
          current={positionOf(shown, hits[hit])}
          look={look}
          hasSource={canFilter && filter === 'all'}
          className="h-log"
        />
      )}
    </Card>
  );
}
