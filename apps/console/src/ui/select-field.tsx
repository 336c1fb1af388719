import { FieldFrame, type FieldFrameProps } from './field.tsx';
import { ChevronDown } from './icons.tsx';

type SelectFieldProps<Value extends string> = FieldFrameProps & {
  value: Value;
  options: { value: Value; label: string; isDisabled?: boolean }[];
  onChange(value: Value): void;
};

/** A native select: it works with every keyboard, screen reader and touch screen. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { value, options, onChange, ...frame } = props;
  return (
    <FieldFrame {...frame}>
      {(control) => (
        <div className="relative">
          <select
            {...control}
            value={value}
            onChange={(event) => onChange(event.target.value as Value)}
            className="h-9 w-full min-w-0 appearance-none truncate rounded-box border border-line-strong bg-surface pr-9 pl-3 text-text hover:border-faint focus-visible:border-accent-ink focus-visible:outline-offset-0 aria-invalid:border-bad pointer-coarse:h-10 pointer-coarse:text-base"
          >
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.isDisabled}>
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
      )}
    </FieldFrame>
  );
}
