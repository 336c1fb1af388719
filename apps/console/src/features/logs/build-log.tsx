import type { AppRef } from '@longshore/client';
import { useEffect, useMemo, useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { errorMessage } from '../../lib/error-message.ts';
import { Button } from '../../ui/button.tsx';
import { Download } from '../../ui/icons.tsx';
import { Sheet } from '../../ui/sheet.tsx';
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

type ReleaseBuildLogProps = AppRef & { release: number; onClose(): void };

/** The stored build log of one release. */
export function ReleaseBuildLog({ projectId, appId, release, onClose }: ReleaseBuildLogProps) {
  const log = useBuildLog({ projectId, appId, release });
  return (
    <Sheet title={MESSAGES.buildOf(release)} className="w-full sm:max-w-3xl" onClose={onClose}>
      <div className="flex min-h-0 flex-1 flex-col border-t border-line bg-log-page">
        <Lines log={log} label={MESSAGES.buildOf(release)} />
      </div>
      {log.kind === 'ready' && log.lines.length > 0 && (
        <div className="flex justify-end border-t border-line p-3">
          <Button
            onClick={() => downloadLines(linesOf(log.lines), `${appId}-build-${release}.log`)}
          >
            <Download size={15} aria-hidden="true" />
            {MESSAGES.download}
          </Button>
        </div>
      )}
    </Sheet>
  );
}

function Lines({ log, label }: { log: BuildLog; label: string }) {
  switch (log.kind) {
    case 'loading':
      return (
        <p role="status" className="grid flex-1 place-items-center text-faint">
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
      return <LogViewport label={label} lines={log.lines} className="h-full" />;
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
