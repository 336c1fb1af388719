import type { AppRef } from '@longshore/client';
import { Card } from '../../ui/card.tsx';
import { LogViewport } from './log-viewport.tsx';
import { MESSAGES } from './messages.ts';
import { useLogStream } from './use-log-stream.ts';

type ServingLogProps = AppRef & { instance: string };

/** The live log of the serving release alone, while another one is deployed or has failed. */
export function ServingLog({ projectId, appId, instance }: ServingLogProps) {
  const { window, reader, isReconnecting, error } = useLogStream({ projectId, appId, instance });
  return (
    <Card
      title={MESSAGES.servingRelease}
      actions={
        <span className="text-xs text-faint" role="status">
          {isReconnecting && MESSAGES.reconnecting}
        </span>
      }
    >
      {error !== undefined && (
        <p role="alert" className="border-b border-line px-4 py-3 text-bad">
          {error}
        </p>
      )}
      {window.lines.length === 0 ? (
        <p className="grid h-28 place-items-center px-4 text-center text-muted">
          {error === undefined && MESSAGES.waiting}
        </p>
      ) : (
        <LogViewport
          key={window.version}
          label={MESSAGES.servingRelease}
          lines={window.lines}
          isLive={window.mode === 'live'}
          onNearStart={reader.loadOlder}
          onNearEnd={reader.loadNewer}
          onJumpToLatest={reader.showLatest}
          className="h-72"
        />
      )}
    </Card>
  );
}
