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
import { appLinks, appsSummary, findApps } from './model/cards.ts';
import { CardGrid } from './project-grid.tsx';
import { ProjectMenu } from './project-menu.tsx';
import { useCardSearch } from './use-card-search.ts';
import { useLatestReleases } from './use-latest-releases.ts';
import { useSecureHosts } from './use-secure-hosts.ts';

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
  const { appliedSearch, cards } = useCardSearch(apps, search, findApps);
  const latest = useLatestReleases(apps);
  const secureHosts = useSecureHosts(project.id, apps);
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
            <Button kind={apps.length === 0 ? 'secondary' : 'primary'} onClick={onDeploy}>
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
        firstApp
      ) : (
        <>
          <AppsHeading apps={apps} />
          <CardGrid>
            {cards.map((app) => (
              <AppCard
                key={app.id}
                app={app}
                latest={latest && (latest.get(app.id) ?? null)}
                secureHosts={secureHosts}
              />
            ))}
          </CardGrid>
        </>
      )}
      {apps.length > 0 && cards.length === 0 && (
        <p role="status" className="text-muted">
          {MESSAGES.noAppFound(appliedSearch)}
        </p>
      )}
    </>
  );
}

/** What is broken or changing is visible at first glance. */
function AppsHeading({ apps }: { apps: AppResource[] }) {
  return (
    <p className="mb-3 flex flex-wrap items-baseline gap-x-3">
      <span className="text-[0.9375rem] font-semibold">{MESSAGES.applications}</span>
      <span className="text-muted">{apps.length}</span>
      {appsSummary(apps).map(({ text, isBad }) => (
        <span
          key={text}
          className={isBad ? 'text-[0.8125rem] text-bad' : 'text-[0.8125rem] text-muted'}
        >
          {text}
        </span>
      ))}
    </p>
  );
}
