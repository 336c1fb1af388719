import { useConnection } from '../client/session-context.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { MESSAGES } from './messages.ts';

/** Shown while the live query reconnects. */
export function ConnectionPill() {
  const connection = useConnection();
  return (
    <div role="status" className="fixed bottom-4 left-1/2 z-30 -translate-x-1/2">
      {connection === 'reconnecting' && (
        <span className="inline-flex h-8 animate-rise items-center gap-2 rounded-full border border-line bg-raised px-3 text-muted shadow-float">
          <Spinner className="size-3.5" />
          {MESSAGES.reconnecting}
        </span>
      )}
    </div>
  );
}
