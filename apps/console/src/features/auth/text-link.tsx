import type { ReactNode } from 'react';
import { PageLink } from '../../ui/page-link.tsx';

export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <PageLink
      to={to}
      className="thumb rounded font-medium text-accent-ink underline-offset-4 hover:underline"
    >
      {children}
    </PageLink>
  );
}
