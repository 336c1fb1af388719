import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { CARD_STYLE } from '../../ui/card.tsx';

type LinkCardProps = {
  name: string;
  to: string;
  /** Beside the name. Buttons in it must lie above the link (z-10). */
  corner: ReactNode;
  footer: ReactNode;
  children: ReactNode;
};

/** A card in a list. The whole card is the link. */
export function LinkCard({ name, to, corner, footer, children }: LinkCardProps) {
  return (
    <li
      className={clsx(
        CARD_STYLE,
        // content-visibility: cards outside the viewport cost no layout when a dialog opens, but stay searchable.
        'relative flex min-h-36 flex-col p-4 [contain-intrinsic-size:auto_6.875rem] [content-visibility:auto] hover:border-line-strong hover:bg-raised hover:transition-colors hover:duration-100',
      )}
    >
      <div className="flex items-start justify-between gap-2">
        <h2 className="line-clamp-3 min-w-0 text-[0.9375rem] font-semibold">
          <Link
            title={name}
            to={to}
            className="rounded-box after:absolute after:inset-0 after:rounded-box focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-ink"
          >
            {name}
          </Link>
        </h2>
        {corner}
      </div>
      {children}
      <div className="mt-auto flex flex-wrap items-center justify-between gap-x-3 gap-y-1 pt-2 text-xs whitespace-nowrap text-faint">
        {footer}
      </div>
    </li>
  );
}
