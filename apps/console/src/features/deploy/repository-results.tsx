import type { Repository } from '@longshore/contract';
import { Button } from '../../ui/button.tsx';
import { ListOption } from '../../ui/list-option.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TRY_AGAIN } from '../../ui/texts.ts';
import type { ListKeys } from '../../ui/use-list-keys.ts';
import { MESSAGES } from './messages.ts';
import { RepositoryLookup } from './repository-lookup.tsx';
import { RepositoryRow } from './repository-row.tsx';
import type { RepositoriesState } from './use-repositories.ts';

type RepositoryResultsProps = {
  integrationId: string;
  state: RepositoriesState;
  shown: Repository[];
  search: string;
  isSearching: boolean;
  keys: ListKeys;
  onChoose(repository: Repository): void;
  onRetry(): void;
};

export function RepositoryResults(props: RepositoryResultsProps) {
  const { state, shown, search, isSearching, keys, onChoose } = props;
  if (state.kind === 'loading') return <RepositorySkeletons />;
  if (state.kind === 'failed') {
    return (
      <Notice tone="bad">
        <p>{state.message || MESSAGES.repositoriesFailed.text}</p>
        <Button size="small" className="mt-2" onClick={props.onRetry}>
          {TRY_AGAIN}
        </Button>
      </Notice>
    );
  }
  const isEmpty = shown.length === 0 && !isSearching;
  return (
    <>
      <div
        id={keys.listId}
        role="listbox"
        aria-label={MESSAGES.repositories}
        className="min-h-0 overflow-y-auto empty:hidden"
      >
        {shown.map((repository, at) => (
          <ListOption
            key={repository.full_name}
            id={keys.optionId(at)}
            isActive={at === keys.active}
            onChoose={() => onChoose(repository)}
          >
            <RepositoryRow repository={repository} />
          </ListOption>
        ))}
      </div>
      <p role="status" className="text-xs text-faint">
        {isSearching ? MESSAGES.searching : statusOf(state.found, shown.length, search)}
      </p>
      {isEmpty && (
        <RepositoryLookup integrationId={props.integrationId} name={search} onFound={onChoose} />
      )}
    </>
  );
}

function statusOf(found: number, shown: number, search: string): string {
  if (found === 0) return search === '' ? MESSAGES.noRepositories : MESSAGES.noMatch(search);
  if (found > shown) return MESSAGES.moreRepositories(shown, found);
  return MESSAGES.repositoriesFound(found);
}

function RepositorySkeletons() {
  return (
    <div role="status" className="grid gap-3">
      <span className="sr-only">{MESSAGES.repositoriesLoading}</span>
      <Skeleton className="h-9" />
      <Skeleton className="h-9" />
      <Skeleton className="h-9" />
    </div>
  );
}
