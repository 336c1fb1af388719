import { isProject, type Resource } from '@longshore/contract';
import { type ReactNode, useState } from 'react';
import { useResources } from '../../client/session-context.tsx';
import { useRegisterCommands } from '../../lib/commands.tsx';
import { findProject } from '../../lib/resource-lists.ts';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { Button } from '../../ui/button.tsx';
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

type ProjectsScreenProps = {
  /** Shown while there is no project. Calls `createProject` with what happens with the new one. */
  firstApp(createProject: (onCreated: Created) => void): ReactNode;
};

type Created = (projectId: string) => void;

const NOTHING: Created = () => {};

export function ProjectsScreen({ firstApp }: ProjectsScreenProps) {
  useDocumentTitle(MESSAGES.list.title);
  const state = useResources();
  const { create } = useProjectActions();
  const [search, setSearch] = useState('');
  const [creating, setCreating] = useState<{ onCreated: Created }>();
  const startCreating = () => setCreating({ onCreated: NOTHING });
  const isEmpty = state.kind === 'ready' && !state.resources.some(isProject);
  useRegisterCommands([{ label: MESSAGES.newProject, run: startCreating }]);
  return (
    <>
      <PageHeader
        title={MESSAGES.list.title}
        description={MESSAGES.list.description}
        actions={
          <>
            <SearchInput label={MESSAGES.search} value={search} onChange={setSearch} />
            <Button
              kind={isEmpty ? 'secondary' : 'primary'}
              onClick={startCreating}
              className="max-sm:w-full"
            >
              <Plus size={16} aria-hidden="true" />
              {MESSAGES.newProject}
            </Button>
          </>
        }
      />
      <IsolationNotice />
      {state.kind === 'loading' && <CardSkeletons />}
      {state.kind === 'failed' && <LoadFailed message={state.message} />}
      {isEmpty && (
        <NoProjects onCreate={startCreating}>
          {firstApp((onCreated) => setCreating({ onCreated }))}
        </NoProjects>
      )}
      {state.kind === 'ready' && !isEmpty && (
        <ProjectList resources={state.resources} search={search} onCreate={startCreating} />
      )}
      {creating && (
        <ProjectDialog
          title={MESSAGES.createTile}
          action={MESSAGES.createProject}
          onClose={() => setCreating(undefined)}
          onSubmit={(name) => create(name, creating.onCreated)}
        />
      )}
    </>
  );
}

/** What a project is for, and the ways to a first app. */
function NoProjects({ onCreate, children }: { onCreate(): void; children: ReactNode }) {
  return (
    <div className="grid gap-6 pt-4">
      <div className="grid justify-items-center gap-1 text-center">
        <h2 className="text-base font-semibold">{MESSAGES.empty.title}</h2>
        <p className="max-w-md text-muted">{MESSAGES.empty.text}</p>
        <Button size="small" className="mt-2" onClick={onCreate}>
          <FolderPlus size={16} aria-hidden="true" />
          {MESSAGES.createTile}
        </Button>
      </div>
      {children}
    </div>
  );
}

type ProjectListProps = { resources: Resource[]; search: string; onCreate(): void };

function ProjectList({ resources, search, onCreate }: ProjectListProps) {
  const { appliedSearch, cards } = useCardSearch(resources, search, projectCards);
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
