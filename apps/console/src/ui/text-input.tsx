import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={clsx(INPUT_STYLE, className)} />;
}

const INPUT_STYLE = clsx(
  'h-9 w-full min-w-0 rounded-box border border-line-strong bg-surface px-3 text-text placeholder:text-faint',
  'hover:border-faint focus-visible:border-accent-ink focus-visible:outline-offset-0 pointer-coarse:h-10',
  'pointer-coarse:text-base aria-invalid:border-bad disabled:opacity-60',
);
