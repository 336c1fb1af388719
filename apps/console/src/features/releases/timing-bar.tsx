import type { Release } from '@longshore/contract';
import { clsx } from 'clsx';
import { PHASE_NAMES } from '../../lib/phase-names.ts';
import { durationText } from '../../lib/relative-time.ts';
import { MESSAGES } from './messages.ts';
import { failedPhase, releaseTiming } from './model/phase-timing.ts';

/** The share of each phase as a bar, and the same in words. Nothing while the release is in progress. */
export function TimingBar({ release }: { release: Release }) {
  const timing = releaseTiming(release);
  if (timing === undefined) return null;
  const { phases, totalMs, buildMs } = timing;
  const failedAt = failedPhase(release);
  const details = phases.map(({ phase, ms }) => `${PHASE_NAMES[phase]} ${durationText(ms)}`);
  return (
    <div title={details.join(' · ')} className="grid content-start gap-1.5 text-xs text-muted">
      {phases.length > 0 && (
        <div aria-hidden="true" className="flex h-1.5 gap-0.5 lg:mt-1.5">
          {phases.map(({ phase, ms }, position) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: a phase can occur twice
              key={position}
              style={{ flexGrow: ms }}
              className={clsx(
                'min-w-0.75 basis-0 rounded-[1px]',
                failedAt !== undefined && position === phases.length - 1
                  ? release.outcome === 'failed'
                    ? 'bg-bad'
                    : 'bg-line-strong'
                  : phase === 'building'
                    ? 'bg-series-1'
                    : 'bg-line-strong',
              )}
            />
          ))}
        </div>
      )}
      <p>
        {release.outcome === 'failed' && failedAt !== undefined
          ? `${MESSAGES.failedAt(PHASE_NAMES[failedAt])} · ${durationText(totalMs)}`
          : durationText(totalMs)}
        {release.buildReusedFrom !== undefined && ` · ${MESSAGES.buildReused}`}
        {release.outcome === 'live' &&
          release.buildReusedFrom === undefined &&
          buildMs > 0 &&
          ` · ${MESSAGES.buildTook(durationText(buildMs))}`}
      </p>
      <p className="sr-only">{details.join(', ')}</p>
    </div>
  );
}
