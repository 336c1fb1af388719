import { type AppResource, type ProjectResource, ROUTES } from '@longshore/contract';
import { type ReactNode, useState } from 'react';
import { useRegisterCommands } from '../../lib/commands.tsx';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { useNavigateIfStillHere } from '../../lib/use-navigate-if-still-here.ts';
import { Button } from '../../ui/button.tsx';
import { Plus } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { AppCard } from './app-card.tsx';
import { MESSAGES } from './messages.ts';
import { appCards, appLinks } from './model/cards.ts';
import { CardGrid } from './project-grid.tsx';
import { ProjectMenu } from './project-menu.tsx';
import { useCardSearch } from './use-card-search.ts';

/** The search box appears from this many apps. */
const MIN_APPS_FOR_SEARCH = 4;

type ProjectScreenProps = {
  project: ProjectResource;
  apps: AppResource[];
  /** Shown while the project has no app. */
  firstApp: ReactNode;
  onDeploy(): void;
};

export function ProjectScreen({ project, apps, firstApp, onDeploy }: ProjectScreenProps) {
  useDocumentTitle(project.values.name);
  const navigateIfStillHere = useNavigateIfStillHere();
  const [search, setSearch] = useState('');
  const { appliedSearch, cards } = useCardSearch(apps, search, appCards);
  useRegisterCommands([{ label: MESSAGES.deployInto(project.values.name), run: onDeploy }]);
  return (
    <>
      <PageHeader
        back={{ to: ROUTES.projects, label: MESSAGES.list.title }}
        title={project.values.name}
        description={MESSAGES.count(apps.length)}
        actions={
          <>
            {apps.length >= MIN_APPS_FOR_SEARCH && (
              <SearchInput label={MESSAGES.searchApps} value={search} onChange={setSearch} />
            )}
            <Button kind="primary" onClick={onDeploy}>
              <Plus size={16} aria-hidden="true" />
              {MESSAGES.deployApp}
            </Button>
            <ProjectMenu
              project={project}
              apps={appLinks(apps)}
              onDeleted={() => navigateIfStillHere(ROUTES.projects, { replace: true })}
            />
          </>
        }
      />
      {apps.length === 0 ? (
        <div className="mx-auto grid w-full max-w-2xl grid-cols-1 gap-5">
          <div className="grid gap-1 text-center">
            <h2 className="text-base font-semibold">{MESSAGES.emptyProject.title}</h2>
            <p className="text-muted">{MESSAGES.emptyProject.text}</p>
          </div>
          {firstApp}
        </div>
      ) : (
        <CardGrid>
          {cards.map((card) => (
            <AppCard key={card.id} projectId={project.id} card={card} />
          ))}
        </CardGrid>
      )}
      {apps.length > 0 && cards.length === 0 && (
        <p role="status" className="text-muted">
          {MESSAGES.noAppFound(appliedSearch)}
        </p>
      )}
    </>
  );
}
