import { relativeTime } from '../lib/relative-time.ts';
import { useNow } from '../lib/use-now.ts';

const REFRESH_EVERY_MS = 30_000;

/** Relative, with the absolute time on hover. */
export function TimeAgo({ at }: { at: string }) {
  const now = useNow(REFRESH_EVERY_MS);
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return null;
  return (
    <time dateTime={at} title={date.toLocaleString('en-US')}>
      {relativeTime(date, new Date(now))}
    </time>
  );
}
