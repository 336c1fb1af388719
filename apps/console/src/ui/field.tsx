import { type ComponentProps, type ReactNode, useId } from 'react';
import { TextInput } from './text-input.tsx';

export type FieldFrameProps = {
  label: string;
  hint?: ReactNode;
  problem?: string | undefined;
  aside?: ReactNode;
};

/** What connects a control with its label and its note. */
type ControlProps = { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined };

type ControlledFrameProps = FieldFrameProps & { children(control: ControlProps): ReactNode };

/** Label, hint and error of a control, connected for screen readers. */
export function FieldFrame({ label, hint, problem, aside, children }: ControlledFrameProps) {
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
      {children({
        id,
        'aria-invalid': problem !== undefined,
        'aria-describedby': note === undefined ? undefined : noteId,
      })}
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

type FieldProps = FieldFrameProps & ComponentProps<'input'>;

/** One line of text with label, hint and error. */
export function Field({ label, hint, problem, aside, ...input }: FieldProps) {
  return (
    <FieldFrame {...{ label, hint, problem, aside }}>
      {(control) => <TextInput {...input} {...control} />}
    </FieldFrame>
  );
}
