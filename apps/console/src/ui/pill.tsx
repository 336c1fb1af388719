import type { ReactNode } from 'react';

export function Pill({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex h-6 shrink-0 items-center gap-1 rounded-full border border-line px-2 text-xs text-muted">
      {children}
    </span>
  );
}
