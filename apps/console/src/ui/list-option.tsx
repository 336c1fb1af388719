import { clsx } from 'clsx';
import type { ReactNode } from 'react';

type ListOptionProps = { id: string; isActive: boolean; onChoose(): void; children: ReactNode };

/** An option of a list below a text field. The field keeps the focus and handles the keys. */
export function ListOption({ id, isActive, onChoose, children }: ListOptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={clsx(
        'flex min-h-9 cursor-pointer items-center gap-2 rounded-md px-2 py-1.5 outline-none hover:bg-hover pointer-coarse:min-h-11',
        isActive && 'bg-hover',
      )}
    >
      {children}
    </div>
  );
}
