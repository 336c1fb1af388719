import { isProject, type Resource } from '@longshore/contract';
import { useState } from 'react';
import { useResources } from '../../client/session-context.tsx';
import { useRegisterCommands } from '../../lib/commands.tsx';
import { findProject } from '../../lib/resource-lists.ts';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FolderPlus, Plus } from '../../ui/icons.tsx';
import { LoadFailed } from '../../ui/load-failed.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { IsolationNotice } from './isolation-notice.tsx';
import { MESSAGES } from './messages.ts';
import { projectCards } from './model/cards.ts';
import { ProjectCard } from './project-card.tsx';
import { ProjectDialog } from './project-dialog.tsx';
import { CardGrid, CardSkeletons, CreateProjectTile } from './project-grid.tsx';
import { useCardSearch } from './use-card-search.ts';
import { useProjectActions } from './use-project-actions.ts';

export function ProjectsScreen() {
  useDocumentTitle(MESSAGES.list.title);
  const state = useResources();
  const { create } = useProjectActions();
  const [search, setSearch] = useState('');
  const [isCreating, setCreating] = useState(false);
  const startCreating = () => setCreating(true);
  useRegisterCommands([{ label: MESSAGES.newProject, run: startCreating }]);
  return (
    <>
      <PageHeader
        title={MESSAGES.list.title}
        description={MESSAGES.list.description}
        actions={
          <>
            <SearchInput label={MESSAGES.search} value={search} onChange={setSearch} />
            <Button kind="primary" onClick={startCreating} className="max-sm:w-full">
              <Plus size={16} aria-hidden="true" />
              {MESSAGES.newProject}
            </Button>
          </>
        }
      />
      <IsolationNotice />
      {state.kind === 'loading' && <CardSkeletons />}
      {state.kind === 'failed' && <LoadFailed message={state.message} />}
      {state.kind === 'ready' && (
        <ProjectList resources={state.resources} search={search} onCreate={startCreating} />
      )}
      {isCreating && (
        <ProjectDialog
          title={MESSAGES.createTile}
          action={MESSAGES.createProject}
          onClose={() => setCreating(false)}
          onSubmit={create}
        />
      )}
    </>
  );
}

type ProjectListProps = { resources: Resource[]; search: string; onCreate(): void };

function ProjectList({ resources, search, onCreate }: ProjectListProps) {
  const { appliedSearch, cards } = useCardSearch(resources, search, projectCards);
  if (!resources.some(isProject)) {
    return (
      <EmptyState
        icon={<FolderPlus size={20} aria-hidden="true" />}
        title={MESSAGES.empty.title}
        action={
          <Button kind="primary" onClick={onCreate}>
            {MESSAGES.createTile}
          </Button>
        }
      >
        {MESSAGES.empty.text}
      </EmptyState>
    );
  }
  return (
    <>
      {cards.length === 0 && (
        <p role="status" className="mb-4 text-muted">
          {MESSAGES.nothingFound(appliedSearch)}
        </p>
      )}
      <CardGrid>
        {cards.map((card) => {
          const project = findProject(resources, card.id);
          return project && <ProjectCard key={card.id} card={card} project={project} />;
        })}
        <CreateProjectTile onPress={onCreate} />
      </CardGrid>
    </>
  );
}
