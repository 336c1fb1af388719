import type { Badge } from '@longshore/contract';
import { clsx } from 'clsx';

const TONES: Record<Badge, string> = {
  Ready: 'bg-ok-wash text-ok',
  Loading: 'bg-busy-wash text-busy',
  Error: 'bg-bad-wash text-bad',
  Hibernated: 'bg-idle-wash text-idle',
  Unknown: 'bg-idle-wash text-idle',
};

/** The status badge of an app (spec-map 4.2). */
export function StatusBadge({ badge }: { badge: Badge }) {
  return (
    <span
      data-status={badge}
      className={clsx(
        'inline-flex h-6 shrink-0 items-center gap-1.5 rounded-full px-2.5 text-xs font-medium',
        TONES[badge],
      )}
    >
      <span
        aria-hidden="true"
        className={clsx(
          'size-1.5 rounded-full bg-current',
          badge === 'Loading' && 'animate-pulse',
          badge === 'Hibernated' && 'opacity-50',
        )}
      />
      {badge}
    </span>
  );
}
