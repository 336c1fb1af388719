import type { IntegrationResource } from '@longshore/contract';
import { Link2, Plus } from 'lucide-react';
import { useResources } from '../../backend/live-context.tsx';
import { integrationsOf } from '../../lib/resource-lists.ts';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { Button } from '../../ui/button.tsx';
import { CARD_STYLE } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailed } from '../../ui/load-failed.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Pill } from '../../ui/pill.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { MESSAGES } from './messages.ts';
import { integrationView } from './model/integration-view.ts';

export function IntegrationsScreen() {
  useDocumentTitle(MESSAGES.title);
  const state = useResources();
  return (
    <>
      <PageHeader
        title={MESSAGES.title}
        description={MESSAGES.description}
        actions={
          <Tooltip text={MESSAGES.unavailable}>
            <Button kind="primary" isDisabled>
              <Plus size={16} aria-hidden="true" />
              {MESSAGES.add}
            </Button>
          </Tooltip>
        }
      />
      {state.kind === 'loading' && <Skeleton className="h-56 w-full" />}
      {state.kind === 'failed' && <LoadFailed message={state.message} />}
      {state.kind === 'ready' && <IntegrationList integrations={integrationsOf(state.resources)} />}
    </>
  );
}

function IntegrationList({ integrations }: { integrations: IntegrationResource[] }) {
  if (integrations.length === 0) {
    return (
      <EmptyState icon={<Link2 size={20} aria-hidden="true" />} title={MESSAGES.empty}>
        {MESSAGES.emptyText}
      </EmptyState>
    );
  }
  return (
    <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {integrations.map(integrationView).map(({ id, account, provider, type }) => (
        <li key={id} className={`${CARD_STYLE} p-4`}>
          <h2 className="font-semibold">{account}</h2>
          <div className="mt-3 flex gap-2">
            <Pill>{provider}</Pill>
            <Pill>{type}</Pill>
          </div>
        </li>
      ))}
    </ul>
  );
}
