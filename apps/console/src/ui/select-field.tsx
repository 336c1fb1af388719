import { type ReactNode, useId } from 'react';
import { ChevronDown } from './icons.tsx';

type SelectFieldProps = {
  label: string;
  hint?: ReactNode;
  problem?: string | undefined;
  value: string;
  options: { value: string; label: string }[];
  onChange(value: string): void;
};

/** A native select: it works with every keyboard, screen reader and touch screen. */
export function SelectField({ label, hint, problem, value, options, onChange }: SelectFieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = problem ?? hint;
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <div className="relative">
        <select
          id={id}
          value={value}
          aria-invalid={problem !== undefined}
          aria-describedby={note === undefined ? undefined : noteId}
          onChange={(event) => onChange(event.target.value)}
          className="h-9 w-full min-w-0 appearance-none truncate rounded-box border border-line-strong bg-surface pr-9 pl-3 text-text hover:border-faint focus-visible:border-accent-ink focus-visible:outline-offset-0 aria-invalid:border-bad pointer-coarse:h-10 pointer-coarse:text-base"
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown
          size={15}
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-faint"
        />
      </div>
      {note !== undefined && (
        <p
          id={noteId}
          className={problem === undefined ? 'text-xs text-faint' : 'text-xs text-bad'}
          role={problem === undefined ? undefined : 'alert'}
        >
          {note}
        </p>
      )}
    </div>
  );
}
