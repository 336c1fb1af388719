import type { Repository } from '@longshore/contract';
import { useState } from 'react';
import { errorText } from '../../client/error-text.ts';
import { useServices } from '../../client/session-context.tsx';
import { useRequest } from '../../client/use-request.ts';
import { Button } from '../../ui/button.tsx';
import { Lock } from '../../ui/icons.tsx';
import { ListOption } from '../../ui/list-option.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Pill } from '../../ui/pill.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TRY_AGAIN } from '../../ui/texts.ts';
import { TimeAgo } from '../../ui/time-ago.tsx';
import type { ListKeys } from '../../ui/use-list-keys.ts';
import { MESSAGES } from './messages.ts';
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
        {shown.map((repository, index) => (
          <ListOption
            key={repository.full_name}
            id={keys.optionId(index)}
            isActive={index === keys.active}
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

function RepositoryRow({ repository }: { repository: Repository }) {
  const { full_name, description, isPrivate, activeAt } = repository;
  const group = full_name.slice(0, full_name.lastIndexOf('/') + 1);
  return (
    <>
      <span className="min-w-0 flex-1">
        {/* On narrow screens the group is truncated first, not the name. */}
        <span className="flex" title={full_name}>
          <span className="min-w-0 shrink-[9999] truncate text-muted">{group}</span>
          <span className="min-w-0 truncate font-semibold">{full_name.slice(group.length)}</span>
        </span>
        {description !== '' && (
          <span title={description} className="block truncate text-xs text-faint">
            {description}
          </span>
        )}
      </span>
      {isPrivate && (
        <Pill>
          <Lock size={11} aria-hidden="true" />
          {MESSAGES.privateRepository}
        </Pill>
      )}
      {activeAt !== null && (
        <span className="w-24 shrink-0 text-right text-xs text-faint max-sm:hidden">
          <TimeAgo at={activeAt} />
        </span>
      )}
    </>
  );
}

type RepositoryLookupProps = {
  integrationId: string;
  name: string;
  onFound(repository: Repository): void;
};

/** Looks up a repository by its full name when the list does not contain it. */
function RepositoryLookup({ integrationId, name, onFound }: RepositoryLookupProps) {
  const { connect } = useServices();
  const { isBusy, send } = useRequest((fullName: string) =>
    connect.validateRepository(integrationId, fullName),
  );
  const [failure, setFailure] = useState<{ name: string; message: string }>();
  if (!/^[^/\s]+\/\S+$/.test(name)) return null;

  async function lookUp() {
    const result = await send(name);
    if (result.ok) onFound(result.data);
    else setFailure({ name, message: errorText(result.error) || MESSAGES.repositoriesFailed.text });
  }

  return (
    <div className="grid justify-items-start gap-2">
      {failure?.name === name && (
        <p role="alert" className="text-xs text-bad">
          {failure.message}
        </p>
      )}
      <Button size="small" isBusy={isBusy} onClick={() => void lookUp()}>
        {MESSAGES.lookUp(name)}
      </Button>
    </div>
  );
}
