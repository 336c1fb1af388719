import type { AppRef } from '@longshore/client';
import type { KeptLogs } from '@longshore/contract';
import { useEffect, useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { LOADING } from '../../ui/texts.ts';
import { type LogDisplay, LogToolbar } from './log-toolbar.tsx';
import { LogViewport } from './log-viewport.tsx';
import { MESSAGES } from './messages.ts';
import { lastLine } from './model/line-list.ts';
import type { ShownKind } from './model/log-view.ts';
import { ALL_TIME, type TimeRange, timesOf } from './model/time-range.ts';
import { CustomRange } from './time-range-picker.tsx';
import { useLogDownloads } from './use-log-downloads.ts';
import { useLogSearch } from './use-log-search.ts';
import { type LogStream, useLogStream } from './use-log-stream.ts';

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

/** The log of one app: new lines as they arrive, and everything that is kept, with filters and search. */
function LogExplorer(app: AppRef) {
  const stream = useLogStream(app);
  const { window, reader, isReconnecting } = stream;
  const kept = useKeptLogs(app);
  const search = useLogSearch(app, stream);
  const downloads = useLogDownloads(app, window, search.search);
  const [range, setRange] = useState<TimeRange>(ALL_TIME);
  const [display, setDisplay] = useState<LogDisplay>({ isWrapped: true, hasTimestamps: false });
  const { selection } = window;
  const kinds = { app: window.hasKind.app, build: window.hasKind.build };
  for (const kind of kept?.kinds ?? []) kinds[kind] = true;
  const canFilter = kinds.app && kinds.build;
  const isPaused = window.mode === 'paused';

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
          <LogToolbar
            kind={canFilter ? (selection.kind ?? 'all') : undefined}
            search={search}
            range={window.isNumbered ? range : undefined}
            display={display}
            isPaused={isPaused}
            hasTimestampedLines={
              window.lines.length === 0 || lastLine(window.lines)?.at !== undefined
            }
            downloads={downloads.choices}
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
        <NoLines stream={stream} />
      ) : (
        <LogViewport
          key={window.version}
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
          className="h-log"
        />
      )}
      {kept?.since !== undefined && (
        <p className="border-t border-line px-4 py-2 text-xs text-faint">{keptNote(kept)}</p>
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
function NoLines({ stream: { window, page, reader, error } }: { stream: LogStream }) {
  const { kind, from, to } = window.selection;
  useEffect(reader.loadOlder);
  if (page.kind === 'loading') {
    return (
      <p role="status" className="grid h-log place-items-center text-faint">
        <Spinner />
        <span className="sr-only">{LOADING}</span>
      </p>
    );
  }
  const hasRange = from !== undefined || to !== undefined;
  const none = hasRange ? MESSAGES.noLinesInRange : MESSAGES.noLinesOfKind;
  return (
    <p className="grid h-log place-items-center text-muted">
      {error === undefined && (hasRange || kind !== undefined ? none : MESSAGES.waiting)}
    </p>
  );
}

/** What the server keeps of the log, read once. */
function useKeptLogs({ projectId, appId }: AppRef): KeptLogs | undefined {
  const { logs } = useServices();
  const [kept, setKept] = useState<KeptLogs>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    void logs.kept({ projectId, appId }, { signal }).then((result) => {
      if (!signal.aborted) setKept(result.ok ? result.data : undefined);
    });
    return () => controller.abort();
  }, [logs, projectId, appId]);
  return kept;
}

function keptNote({ since = '', limits }: KeptLogs): string {
  const time = new Date(since).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
  const { appBytes, buildBytes, builds } = limits;
  return MESSAGES.kept(time, mebibytes(appBytes), builds, mebibytes(buildBytes));
}

function mebibytes(bytes: number): string {
  return `${bytes / 2 ** 20} MiB`;
}
