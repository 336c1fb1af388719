import type { ComponentProps, MouseEvent } from 'react';
import { usePageLocation } from '../lib/page-location.tsx';

type PageLinkProps = Omit<ComponentProps<'a'>, 'href' | 'onClick'> & { to: string };

/** A link between the pages before sign-in. Opening it in a new tab or window is left to the browser. */
export function PageLink({ to, children, ...rest }: PageLinkProps) {
  const location = usePageLocation();
  function follow(event: MouseEvent) {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    location.navigate(to);
  }
  return (
    <a {...rest} href={to} onClick={follow}>
      {children}
    </a>
  );
}
