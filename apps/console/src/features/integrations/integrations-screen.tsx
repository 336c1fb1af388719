import type { IntegrationResource, Resource } from '@longshore/contract';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useResources } from '../../client/session-context.tsx';
import { integrationsOf } from '../../lib/resource-lists.ts';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link2, Plus } from '../../ui/icons.tsx';
import { LoadFailed } from '../../ui/load-failed.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { IntegrationCard } from './integration-card.tsx';
import { IntegrationDialog } from './integration-dialog.tsx';
import { IntegrationGrid, IntegrationSkeletons } from './integration-grid.tsx';
import { MESSAGES } from './messages.ts';
import { type IntegrationView, integrationView } from './model/integration-view.ts';
import { returnToast } from './model/return-toast.ts';
import { RemoveIntegrationDialog } from './remove-integration-dialog.tsx';

type Open =
  | { kind: 'nothing' }
  | { kind: 'connect'; reconnect?: IntegrationResource }
  | { kind: 'remove'; view: IntegrationView };

export function IntegrationsScreen() {
  useDocumentTitle(MESSAGES.title);
  useReturnToast();
  const state = useResources();
  const [open, setOpen] = useState<Open>({ kind: 'nothing' });
  const close = () => setOpen({ kind: 'nothing' });
  const add = (
    <Button kind="primary" onClick={() => setOpen({ kind: 'connect' })}>
      <Plus size={16} aria-hidden="true" />
      {MESSAGES.add}
    </Button>
  );
  return (
    <>
      <PageHeader title={MESSAGES.title} description={MESSAGES.description} actions={add} />
      {state.kind === 'loading' && <IntegrationSkeletons />}
      {state.kind === 'failed' && <LoadFailed message={state.message} />}
      {state.kind === 'ready' && <IntegrationList resources={state.resources} onOpen={setOpen} />}
      {open.kind === 'connect' && <IntegrationDialog reconnect={open.reconnect} onClose={close} />}
      {open.kind === 'remove' && <RemoveIntegrationDialog view={open.view} onClose={close} />}
    </>
  );
}

type IntegrationListProps = { resources: Resource[]; onOpen(open: Open): void };

function IntegrationList({ resources, onOpen }: IntegrationListProps) {
  const integrations = integrationsOf(resources);
  if (integrations.length === 0) {
    return (
      <EmptyState
        icon={<Link2 size={20} aria-hidden="true" />}
        title={MESSAGES.empty}
        action={
          <Button kind="primary" onClick={() => onOpen({ kind: 'connect' })}>
            {MESSAGES.addFirst}
          </Button>
        }
      >
        {MESSAGES.emptyText}
      </EmptyState>
    );
  }
  return (
    <IntegrationGrid>
      {integrations.map((integration) => {
        const view = integrationView(integration, resources);
        return (
          <IntegrationCard
            key={view.id}
            view={view}
            onReconnect={() => onOpen({ kind: 'connect', reconnect: integration })}
            onRemove={() => onOpen({ kind: 'remove', view })}
          />
        );
      })}
    </IntegrationGrid>
  );
}

/** Shows the result of the OAuth redirect once and removes it from the URL. */
function useReturnToast(): void {
  const [search, setSearch] = useSearchParams();
  const toast = useToast();
  useEffect(() => {
    const options = returnToast(search);
    if (options === undefined) return;
    toast(options);
    setSearch({}, { replace: true });
  }, [search, setSearch, toast]);
}
