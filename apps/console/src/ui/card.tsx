import { clsx } from 'clsx';
import { type ComponentProps, type ReactNode, useId } from 'react';

export const CARD_STYLE = 'rounded-box border border-line bg-surface shadow-card';

type CardProps = Omit<ComponentProps<'section'>, 'title'> & {
  title: ReactNode;
  actions?: ReactNode;
};

export function Card({ title, actions, className, children, ...rest }: CardProps) {
  const id = useId();
  return (
    <section {...rest} aria-labelledby={id} className={clsx(CARD_STYLE, 'min-w-0', className)}>
      <header className="flex min-h-12 flex-wrap items-center justify-between gap-x-3 gap-y-2 border-b border-line px-4 py-2">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {actions}
      </header>
      {children}
    </section>
  );
}
