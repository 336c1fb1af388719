import { DomainsCard } from '../../features/domains/domains-card.tsx';
import type { AppTabProps } from './app-tab-props.ts';

/** The addresses of an app. */
export function DomainsTab({ page, domains }: AppTabProps) {
  const { app, view, markUpdating } = page;
  return (
    <DomainsCard
      app={app}
      domains={domains}
      disabledReason={view.edit.reason}
      onSent={markUpdating}
    />
  );
}
