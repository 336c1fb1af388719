import type { AppRef } from '@longshore/client';
import { useEffect, useMemo, useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { errorMessage } from '../../lib/error-message.ts';
import { Button } from '../../ui/button.tsx';
import { Download } from '../../ui/icons.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { LOADING } from '../../ui/texts.ts';
import { downloadLines } from './download-lines.ts';
import { LogViewport } from './log-viewport.tsx';
import { MESSAGES } from './messages.ts';
import {
  appendLines,
  type LineList,
  linesOf,
  NO_LINES,
  type NumberedLine,
  numberedLine,
} from './model/line-list.ts';
import { newestBuild } from './model/log-view.ts';
import { useLogStream } from './use-log-stream.ts';

type ReleaseBuildLogProps = AppRef & { release: number };

/** The stored build log of one release, inside its row. */
export function ReleaseBuildLog({ projectId, appId, release }: ReleaseBuildLogProps) {
  const log = useBuildLog({ projectId, appId, release });
  const title = MESSAGES.buildOf(release);
  return (
    <section aria-label={title} className="overflow-hidden rounded-box border border-line">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-2 border-b border-line bg-sunken py-1 pr-1.5 pl-3">
        <h3 className="font-medium">{title}</h3>
        {log.kind === 'ready' && log.lines.length > 0 && (
          <Button
            kind="ghost"
            size="small"
            onClick={() => downloadLines(linesOf(log.lines), `${appId}-build-${release}.log`)}
          >
            <Download size={15} aria-hidden="true" />
            {MESSAGES.download}
          </Button>
        )}
      </div>
      <div className="bg-log-page">
        <Lines log={log} label={title} />
      </div>
    </section>
  );
}

function Lines({ log, label }: { log: BuildLog; label: string }) {
  switch (log.kind) {
    case 'loading':
      return (
        <p role="status" className="grid h-28 place-items-center text-faint">
          <Spinner />
          <span className="sr-only">{LOADING}</span>
        </p>
      );
    case 'failed':
      return (
        <p role="alert" className="p-4 text-bad">
          {log.message}
        </p>
      );
    case 'ready':
      if (log.lines.length === 0) return <p className="p-4 text-muted">{MESSAGES.noBuildLog}</p>;
      return <LogViewport label={label} lines={log.lines} className="h-80" />;
  }
}

type BuildLog =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }
  | { kind: 'ready'; lines: LineList };

/** The complete build log of one release, read once. */
function useBuildLog({ projectId, appId, release }: AppRef & { release: number }): BuildLog {
  const { logs } = useServices();
  const [log, setLog] = useState<BuildLog>({ kind: 'loading' });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const lines: NumberedLine[] = [];
    const names = new Map<string, string>();
    const request = { projectId, appId, release, follow: false, after: 0 };
    logs
      .stream(request, {
        signal,
        onLine: (line) => lines.push(numberedLine(line, lines.length, names)),
      })
      .then(
        () => setLog({ kind: 'ready', lines: appendLines(NO_LINES, lines) }),
        (error: unknown) => {
          if (!signal.aborted) setLog({ kind: 'failed', message: errorMessage(error) });
        },
      );
    return () => controller.abort();
  }, [logs, projectId, appId, release]);
  return log;
}

/** The live output of the build in progress. */
export function BuildOutput({ projectId, appId }: AppRef) {
  const { window } = useLogStream({ projectId, appId });
  const build = useMemo(() => newestBuild(linesOf(window.lines)), [window.lines]);
  if (build.length === 0) return null;
  return (
    <div className="border-t border-line">
      <LogViewport
        label={MESSAGES.buildOutput}
        lines={appendLines(NO_LINES, build)}
        className="h-72"
      />
    </div>
  );
}
