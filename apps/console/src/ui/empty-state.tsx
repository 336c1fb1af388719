import type { ReactNode } from 'react';

type EmptyStateProps = { icon: ReactNode; title: string; children: ReactNode; action?: ReactNode };

/** Explains what the list is for, with the button that creates the first entry. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-3 rounded-box border border-dashed border-line-strong px-6 py-14 text-center">
      <div className="grid size-11 place-items-center rounded-box border border-line bg-surface text-muted shadow-card">
        {icon}
      </div>
      <h2 className="text-base font-semibold">{title}</h2>
      <p className="max-w-md text-muted">{children}</p>
      {action !== undefined && <div className="mt-2">{action}</div>}
    </div>
  );
}
