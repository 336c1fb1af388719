import { ToggleGroup } from 'radix-ui';
import type { ReactNode } from 'react';

type SegmentedProps<Value extends string> = {
  label: string;
  value: Value;
  options: readonly { value: Value; label: ReactNode }[];
  onChange(value: Value): void;
};

/** A segmented control: one choice of a few. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { label, value, options, onChange } = props;
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      onValueChange={(next) => {
        if (next !== '') onChange(next as Value);
      }}
      className="inline-flex gap-0.5 rounded-box border border-line bg-sunken p-0.5"
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          className="inline-flex h-7 items-center justify-center gap-1.5 rounded-md px-2.5 text-[0.8125rem] text-muted hover:text-text data-[state=on]:bg-raised data-[state=on]:font-medium data-[state=on]:text-text data-[state=on]:shadow-card pointer-coarse:h-10 pointer-coarse:min-w-10"
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
