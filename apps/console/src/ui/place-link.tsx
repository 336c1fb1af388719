import type { ComponentProps, MouseEvent } from 'react';
import { usePlace } from '../lib/place-context.tsx';

type PlaceLinkProps = Omit<ComponentProps<'a'>, 'href' | 'onClick'> & { to: string };

/** A link between the pages before sign-in; a new tab and the like stay the browser's. */
export function PlaceLink({ to, children, ...rest }: PlaceLinkProps) {
  const place = usePlace();
  function follow(event: MouseEvent) {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    place.go(to);
  }
  return (
    <a {...rest} href={to} onClick={follow}>
      {children}
    </a>
  );
}
