import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ChevronLeft } from './icons.tsx';

type PageHeaderProps = {
  title: ReactNode;
  description?: ReactNode;
  back?: { to: string; label: string };
  actions?: ReactNode;
};

export function PageHeader({ title, description, back, actions }: PageHeaderProps) {
  return (
    <div className="mb-6">
      {back !== undefined && (
        <Link
          to={back.to}
          className="-ml-1 mb-2 inline-flex h-7 items-center gap-0.5 rounded pr-1.5 text-muted hover:text-text pointer-coarse:h-10"
        >
          <ChevronLeft size={16} aria-hidden="true" />
          {back.label}
        </Link>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 text-xl font-semibold tracking-tight">
            {title}
          </h1>
          {description !== undefined && <p className="mt-0.5 text-muted">{description}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  );
}
