import type { ComponentProps, MouseEvent } from 'react';
import { type ButtonKind, type ButtonSize, buttonStyle } from './button-style.ts';
import { Spinner } from './spinner.tsx';

type ButtonProps = Omit<ComponentProps<'button'>, 'disabled'> & {
  kind?: ButtonKind;
  size?: ButtonSize;
  /** Stays focusable, so that a tooltip can show why it is disabled. */
  isDisabled?: boolean;
  isBusy?: boolean;
};

export function Button({
  kind = 'secondary',
  size = 'normal',
  isDisabled = false,
  isBusy = false,
  type = 'button',
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const isInert = isDisabled || isBusy;
  function handleClick(event: MouseEvent<HTMLButtonElement>) {
    if (isInert) event.preventDefault();
    else onClick?.(event);
  }
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={isInert || undefined}
      aria-busy={isBusy || undefined}
      className={buttonStyle(kind, size, className)}
      onClick={handleClick}
    >
      {isBusy && <Spinner className="size-4" />}
      {children}
    </button>
  );
}
