import { Switch } from 'radix-ui';
import { type ReactNode, useId } from 'react';

type SwitchFieldProps = {
  label: string;
  hint?: ReactNode;
  isOn: boolean;
  onChange(isOn: boolean): void;
};

export function SwitchField({ label, hint, isOn, onChange }: SwitchFieldProps) {
  const id = useId();
  return (
    <div className="flex items-center justify-between gap-4">
      <div>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint !== undefined && <p className="text-xs text-faint">{hint}</p>}
      </div>
      <Switch.Root
        id={id}
        checked={isOn}
        onCheckedChange={onChange}
        className="thumb h-6 w-10 shrink-0 rounded-full border border-line-strong bg-sunken transition-colors duration-100 data-[state=checked]:border-transparent data-[state=checked]:bg-accent"
      >
        <Switch.Thumb className="block size-4.5 translate-x-0.5 rounded-full border border-line-strong bg-white shadow-card transition-transform duration-100 data-[state=checked]:translate-x-4.5 data-[state=checked]:border-transparent" />
      </Switch.Root>
    </div>
  );
}
