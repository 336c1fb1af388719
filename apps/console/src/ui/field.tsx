import { type ComponentProps, type ReactNode, useId } from 'react';
import { TextInput } from './text-input.tsx';

type FieldFrameProps = {
  label: string;
  hint?: ReactNode;
  problem?: string | undefined;
  aside?: ReactNode;
};

type FieldProps = FieldFrameProps & ComponentProps<'input'>;

/** An input with label, hint and error, connected for screen readers. */
export function Field({ label, hint, problem, aside, ...input }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = problem ?? hint;
  return (
    <div className="grid content-start gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {aside}
      </div>
      <TextInput
        {...input}
        id={id}
        aria-invalid={problem !== undefined}
        aria-describedby={note === undefined ? undefined : noteId}
      />
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
