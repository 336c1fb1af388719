import type { ReactNode } from 'react';
import { PlaceLink } from '../../ui/place-link.tsx';

export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <PlaceLink
      to={to}
      className="thumb rounded font-medium text-accent-ink underline-offset-4 hover:underline"
    >
      {children}
    </PlaceLink>
  );
}
