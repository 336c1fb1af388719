import type { AppRef } from '@longshore/client';
import type { KeptLogs, LogSource } from '@longshore/contract';
import { clsx } from 'clsx';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useServices } from '../../client/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { buttonStyle } from '../../ui/button-style.ts';
import { Card } from '../../ui/card.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { LOADING } from '../../ui/texts.ts';
import { type LogDisplay, LogToolbar } from './log-toolbar.tsx';
import { LogViewport } from './log-viewport.tsx';
import { MESSAGES } from './messages.ts';
import { lastLine } from './model/line-list.ts';
import type { ShownKind, ShownSource } from './model/log-view.ts';
import { ALL_TIME, type TimeRange, timesOf } from './model/time-range.ts';
import { CustomRange } from './time-range-picker.tsx';
import { useLogDownloads } from './use-log-downloads.ts';
import { useLogSearch } from './use-log-search.ts';
import { type LogStream, useLogStream } from './use-log-stream.ts';

type LogsCardProps = AppRef & {
  state: 'streaming' | 'syncing' | 'hibernated';
  /** Path of the explorer. Set: only the last lines are shown, with the specified filters. */
  explorer?: string;
};

/** Logs stream only while the app is neither syncing nor hibernated (spec-map 4.2.19). */
export function LogsCard({ projectId, appId, state, explorer }: LogsCardProps) {
  if (state === 'streaming') {
    return <LogExplorer projectId={projectId} appId={appId} explorer={explorer} />;
  }
  return (
    <Card title={MESSAGES.title}>
      <p className="grid h-28 place-items-center px-4 text-center text-muted">{MESSAGES[state]}</p>
    </Card>
  );
}

type LogExplorerProps = AppRef & { explorer: string | undefined };

/** The log of one app: new lines as they arrive, and everything that is kept, with filters and search. */
function LogExplorer({ explorer, ...app }: LogExplorerProps) {
  const [source, setSource] = useState<ShownSource>('output');
  const isAccess = source === 'access';
  const stream = useLogStream({ ...app, kind: isAccess ? 'access' : undefined });
  const { window, reader, isReconnecting } = stream;
  const kept = useKeptLogs(app, source);
  const search = useLogSearch(app, stream);
  const downloads = useLogDownloads(app, window, search.search);
  const [range, setRange] = useState<TimeRange>(ALL_TIME);
  const [display, setDisplay] = useState<LogDisplay>({ isWrapped: true, hasTimestamps: false });
  const { selection } = window;
  const kinds = { app: window.hasKind.app, build: window.hasKind.build };
  for (const kind of kept?.kinds ?? []) kinds[kind] = true;
  const canFilter = kinds.app && kinds.build && !isAccess;
  const isPaused = window.mode === 'paused';
  const note = kept && (isAccess ? keptAccessNote(kept) : keptNote(kept));

  function showSource(next: ShownSource): void {
    setSource(next);
    setRange(ALL_TIME);
  }

  function showRange(next: TimeRange): void {
    setRange(next);
    const times = timesOf(next, Date.now());
    if (times !== undefined) reader.select({ ...selection, ...times });
  }

  return (
    <Card
      title={MESSAGES.title}
      actions={
        <>
          <span className="ml-auto text-xs text-faint" role="status">
            {statusNote({ isReconnecting, isPaused, ...downloads }, window.newLines)}
          </span>
          {explorer !== undefined && (
            <Link to={explorer} className={buttonStyle('ghost', 'small', '-mr-2')}>
              {MESSAGES.open}
            </Link>
          )}
          <LogToolbar
            isCompact={explorer !== undefined}
            source={source}
            kind={canFilter ? shownKind(selection.kind) : undefined}
            search={search}
            range={window.isNumbered ? range : undefined}
            display={display}
            isPaused={isPaused}
            hasTimestampedLines={
              window.lines.length === 0 || lastLine(window.lines)?.at !== undefined
            }
            downloads={downloads.choices}
            onSource={showSource}
            onKind={(kind: ShownKind) =>
              reader.select({ ...selection, kind: kind === 'all' ? undefined : kind })
            }
            onRange={showRange}
            onDisplay={setDisplay}
            onPause={(isPaused) => (isPaused ? reader.pause() : reader.showLatest())}
          />
        </>
      }
    >
      {range.name === 'custom' && (
        <CustomRange
          range={range}
          isBackwards={timesOf(range, 0) === undefined}
          onChange={showRange}
        />
      )}
      <Problems stream={stream} searchMessage={search.message} />
      {window.lines.length === 0 ? (
        <NoLines stream={stream} className={explorer === undefined ? 'h-log' : 'h-96'} />
      ) : (
        <LogViewport
          key={`${source}-${window.version}`}
          label={MESSAGES.title}
          lines={window.lines}
          search={search.search}
          current={search.current}
          display={display}
          hasSource={canFilter && selection.kind === undefined}
          isLive={window.mode !== 'history'}
          onNearStart={reader.loadOlder}
          onNearEnd={reader.loadNewer}
          onJumpToLatest={reader.showLatest}
          className={explorer === undefined ? 'h-log' : 'h-96'}
        />
      )}
      {note !== undefined && explorer === undefined && (
        <p className="border-t border-line px-4 py-2 text-xs text-faint">{note}</p>
      )}
    </Card>
  );
}

type Activity = { isReconnecting: boolean; isPaused: boolean; isDownloading: boolean };

function statusNote({ isReconnecting, isPaused, isDownloading }: Activity, newLines: number) {
  if (isReconnecting) return MESSAGES.reconnecting;
  if (isDownloading) return MESSAGES.downloading;
  return isPaused ? MESSAGES.paused(newLines) : undefined;
}

function Problems({
  stream: { error, page, reader },
  searchMessage,
}: {
  stream: LogStream;
  searchMessage: string | undefined;
}) {
  const problem = searchMessage === undefined ? error : MESSAGES.searchFailed(searchMessage);
  return (
    <>
      {problem !== undefined && (
        <p role="alert" className="border-b border-line px-4 py-3 text-bad">
          {problem}
        </p>
      )}
      {page.kind === 'failed' && (
        <p
          role="alert"
          className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-2 text-bad"
        >
          {MESSAGES.loadFailed(page.message)}
          <Button size="small" onClick={reader.retry}>
            {MESSAGES.retry}
          </Button>
        </p>
      )}
    </>
  );
}

/** While the loaded lines contain none of the selection, older ones are loaded. */
function NoLines({
  stream: { window, page, reader, error },
  className,
}: {
  stream: LogStream;
  className: string;
}) {
  const { kind, from, to } = window.selection;
  useEffect(reader.loadOlder);
  if (page.kind === 'loading') {
    return (
      <p role="status" className={clsx('grid place-items-center text-faint', className)}>
        <Spinner />
        <span className="sr-only">{LOADING}</span>
      </p>
    );
  }
  const hasRange = from !== undefined || to !== undefined;
  const none = hasRange ? MESSAGES.noLinesInRange : MESSAGES.noLinesOfKind;
  const text = hasRange || kind === 'app' || kind === 'build' ? none : emptyText(kind);
  return (
    <p className={clsx('grid place-items-center px-4 text-center text-muted', className)}>
      {error === undefined && text}
    </p>
  );
}

function emptyText(kind: LogSource | undefined): string {
  return kind === 'access' ? MESSAGES.noRequests : MESSAGES.waiting;
}

function shownKind(kind: LogSource | undefined): ShownKind {
  return kind === 'app' || kind === 'build' ? kind : 'all';
}

/** What the server keeps of the log, read when a source is shown. */
function useKeptLogs({ projectId, appId }: AppRef, source: ShownSource): KeptLogs | undefined {
  const { logs } = useServices();
  const [kept, setKept] = useState<KeptLogs>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is kept has changed since another source was shown
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    void logs.kept({ projectId, appId }, { signal }).then((result) => {
      if (!signal.aborted) setKept(result.ok ? result.data : undefined);
    });
    return () => controller.abort();
  }, [logs, projectId, appId, source]);
  return kept;
}

function keptNote({ since, limits }: KeptLogs): string | undefined {
  if (since === undefined) return undefined;
  const { appBytes, buildBytes, builds } = limits;
  return MESSAGES.kept(timeOf(since), mebibytes(appBytes), builds, mebibytes(buildBytes));
}

function keptAccessNote({ access }: KeptLogs): string | undefined {
  if (access?.since === undefined) return undefined;
  return MESSAGES.keptAccess(timeOf(access.since), mebibytes(access.maxBytes));
}

function timeOf(since: string): string {
  return new Date(since).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
}

function mebibytes(bytes: number): string {
  return `${bytes / 2 ** 20} MiB`;
}
