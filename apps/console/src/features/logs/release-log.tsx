import type { AppRef } from '@longshore/client';
import { Button } from '../../ui/button.tsx';
import { Download } from '../../ui/icons.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { LOADING } from '../../ui/texts.ts';
import { downloadLines } from './download-lines.ts';
import { LogViewport } from './log-viewport.tsx';
import { MESSAGES } from './messages.ts';
import { type BuildLog, useBuildLog } from './use-build-log.ts';

type ReleaseLogProps = AppRef & { release: number; onClose(): void };

/** What the build of one release printed. */
export function ReleaseLog({ projectId, appId, release, onClose }: ReleaseLogProps) {
  const log = useBuildLog({ projectId, appId, release });
  return (
    <Sheet title={MESSAGES.buildOf(release)} className="w-full sm:max-w-3xl" onClose={onClose}>
      <div className="flex min-h-0 flex-1 flex-col border-t border-line bg-log-page">
        <Lines log={log} label={MESSAGES.buildOf(release)} />
      </div>
      {log.kind === 'ready' && log.lines.length > 0 && (
        <div className="flex justify-end border-t border-line p-3">
          <Button onClick={() => downloadLines(log.lines, `${appId}-build-${release}.log`)}>
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
      if (log.lines.length === 0) return <p className="p-4 text-muted">{MESSAGES.nothingBuilt}</p>;
      return <LogViewport label={label} lines={log.lines} className="h-full" />;
  }
}
