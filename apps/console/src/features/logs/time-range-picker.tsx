import { useId } from 'react';
import { ChevronDown } from '../../ui/icons.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { MESSAGES } from './messages.ts';
import type { TimeRange, TimeRangeName } from './model/time-range.ts';

const NAMES = Object.keys(MESSAGES.timeRanges) as TimeRangeName[];

type TimeRangeProps = { range: TimeRange; onChange(range: TimeRange): void };

/** A native select: it works with every keyboard, screen reader and touch screen. */
export function TimeRangePicker({ range, onChange }: TimeRangeProps) {
  return (
    <div className="relative min-w-0 max-sm:flex-1">
      <select
        aria-label={MESSAGES.timeRange}
        value={range.name}
        onChange={(event) => onChange({ ...range, name: event.target.value as TimeRangeName })}
        className="h-8 w-40 appearance-none truncate rounded-box border border-line-strong bg-surface pr-8 pl-3 text-text hover:border-faint focus-visible:border-accent-ink focus-visible:outline-offset-0 max-sm:w-full pointer-coarse:h-10 pointer-coarse:text-base"
      >
        {NAMES.map((name) => (
          <option key={name} value={name}>
            {MESSAGES.timeRanges[name]}
          </option>
        ))}
      </select>
      <ChevronDown
        size={15}
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-faint"
      />
    </div>
  );
}

/** The start and the end of a custom range, each optional. */
export function CustomRange({
  range,
  isBackwards,
  onChange,
}: TimeRangeProps & { isBackwards: boolean }) {
  const id = useId();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2">
      {(['from', 'to'] as const).map((end) => (
        <div key={end} className="flex items-center gap-2 max-sm:w-full">
          <label htmlFor={`${id}-${end}`} className="max-sm:w-12">
            {MESSAGES[end]}
          </label>
          <TextInput
            id={`${id}-${end}`}
            type="datetime-local"
            value={range[end]}
            aria-invalid={isBackwards}
            className="h-8 sm:w-52"
            onChange={(event) => onChange({ ...range, [end]: event.target.value })}
          />
        </div>
      ))}
      {isBackwards && (
        <p role="alert" className="text-xs text-bad">
          {MESSAGES.backwardsRange}
        </p>
      )}
    </div>
  );
}
