import { clsx } from 'clsx';

export type ButtonKind = 'primary' | 'secondary' | 'ghost' | 'danger' | 'destroy';
export type ButtonSize = 'small' | 'normal' | 'icon';

const KINDS: Record<ButtonKind, string> = {
  primary: 'bg-accent text-on-accent border-transparent hover:brightness-105 font-semibold',
  secondary: 'bg-surface text-text border-line-strong hover:bg-hover',
  ghost:
    'bg-transparent text-muted border-transparent hover:bg-hover hover:text-text aria-pressed:text-accent-ink',
  danger: 'bg-surface text-bad border-bad-line hover:bg-bad-wash',
  destroy: 'bg-bad text-surface border-transparent hover:brightness-110 font-semibold',
};

const SIZES: Record<ButtonSize, string> = {
  small: 'h-8 px-3 text-[0.8125rem] pointer-coarse:h-10',
  normal: 'h-9 px-4 pointer-coarse:h-10',
  icon: 'size-9 pointer-coarse:size-10',
};

/** Shared by buttons and by links that look like one. */
export function buttonStyle(kind: ButtonKind, size: ButtonSize, className?: string): string {
  return clsx(
    'inline-flex shrink-0 items-center justify-center gap-2 rounded-box border font-medium whitespace-nowrap',
    // Transitions on hover only: otherwise a theme change would animate every button.
    'select-none hover:transition-[background-color,filter,color] hover:duration-100',
    'disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50',
    KINDS[kind],
    SIZES[size],
    className,
  );
}
