import type { AppRef } from '@longshore/client';
import { useMemo, useState } from 'react';
import { Card } from '../../ui/card.tsx';
import { downloadLines } from './download-lines.ts';
import { useLogMatches } from './log-search.tsx';
import { type LogDisplay, LogToolbar } from './log-toolbar.tsx';
import { LogViewport } from './log-viewport.tsx';
import { MESSAGES } from './messages.ts';
import type { NumberedLine } from './model/log-buffer.ts';
import { positionOf } from './model/log-search.ts';
import {
  countLinesAfter,
  filteredLines,
  hasBothSources,
  type LogFilter,
  stepMatch,
} from './model/log-view.ts';
import { useLogStream } from './use-log-stream.ts';

type LogsCardProps = AppRef & { state: 'streaming' | 'syncing' | 'hibernated' };

/** Logs stream only while the app is neither syncing nor hibernated (spec-map 4.2.19). */
export function LogsCard({ projectId, appId, state }: LogsCardProps) {
  if (state === 'streaming') return <LogExplorer projectId={projectId} appId={appId} />;
  return (
    <Card title={MESSAGES.title}>
      <p className="grid h-28 place-items-center px-4 text-center text-muted">{MESSAGES[state]}</p>
    </Card>
  );
}

/** The live log of one app with filters and search. */
function LogExplorer({ projectId, appId }: AppRef) {
  const { lines: streamed, isReconnecting, error } = useLogStream({ projectId, appId });
  const [pausedLines, setPausedLines] = useState<NumberedLine[]>();
  const [selectedFilter, setFilter] = useState<LogFilter>('all');
  const [search, setSearch] = useState('');
  const [match, setMatch] = useState(0);
  const [display, setDisplay] = useState<LogDisplay>({ isWrapped: true, hasTimestamps: false });
  const lines = pausedLines ?? streamed;
  const canFilter = useMemo(() => hasBothSources(lines), [lines]);
  const filter = canFilter ? selectedFilter : 'all';
  const shown = useMemo(() => filteredLines(lines, filter), [lines, filter]);
  const matches = useLogMatches(shown, search, filter);
  const note =
    pausedLines === undefined ? undefined : MESSAGES.paused(countLinesAfter(streamed, pausedLines));
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
              match: Math.min(match, Math.max(0, matches.length - 1)),
              matchCount: matches.length,
              onSearch(next) {
                setSearch(next);
                setMatch(0);
              },
              onStep: (step) => setMatch(stepMatch(match, step, matches.length)),
            }}
            display={display}
            isPaused={pausedLines !== undefined}
            hasTimestampedLines={shown.length === 0 || shown.at(-1)?.at !== undefined}
            onFilter={setFilter}
            onDisplay={setDisplay}
            onPause={(isPaused) => setPausedLines(isPaused ? streamed : undefined)}
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
          key={display.isWrapped ? 'wrapped' : 'unwrapped'}
          label={MESSAGES.title}
          lines={shown}
          search={search}
          current={positionOf(shown, matches[match])}
          display={display}
          hasSource={canFilter && filter === 'all'}
          className="h-log"
        />
      )}
    </Card>
  );
}
