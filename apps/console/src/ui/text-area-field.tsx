import type { ComponentProps } from 'react';
import { FieldFrame, type FieldFrameProps } from './field.tsx';

type TextAreaFieldProps = FieldFrameProps & ComponentProps<'textarea'>;

/** Several lines of text with label, hint and error. */
export function TextAreaField({ label, hint, problem, aside, ...area }: TextAreaFieldProps) {
  return (
    <FieldFrame {...{ label, hint, problem, aside }}>
      {(control) => (
        <textarea
          {...area}
          {...control}
          className="min-h-16 w-full min-w-0 resize-y rounded-box border border-line-strong bg-surface px-3 py-2 font-mono text-[0.8125rem] text-text placeholder:text-faint hover:border-faint focus-visible:border-accent-ink focus-visible:outline-offset-0 aria-invalid:border-bad pointer-coarse:text-base"
        />
      )}
    </FieldFrame>
  );
}
