import { clsx } from 'clsx';
import { MESSAGES } from './messages.ts';
import { PHASES, type Phase } from './model/phase.ts';

/** Where a deployment is, and what still comes. */
export function PhaseBar({ phase }: { phase: Phase }) {
  const reached = PHASES.indexOf(phase);
  return (
    <ol aria-label={MESSAGES.phasesLabel} className="grid grid-cols-6 gap-1.5">
      {PHASES.map((name, position) => (
        <li
          key={name}
          aria-current={position === reached ? 'step' : undefined}
          className="grid min-w-0 gap-1.5"
        >
          <span
            aria-hidden="true"
            className={clsx(
              'h-1 rounded-full',
              position < reached && 'bg-accent',
              position === reached && 'animate-pulse bg-accent',
              position > reached && 'bg-line',
            )}
          />
          <span
            className={clsx(
              'text-xs whitespace-nowrap',
              position === reached ? 'font-medium text-text' : 'text-faint max-sm:sr-only',
            )}
          >
            {MESSAGES.phases[name]}
          </span>
        </li>
      ))}
    </ol>
  );
}
