import { type IntegrationResource, type Repository, ROUTES } from '@longshore/contract';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../../ui/button.tsx';
import { DialogFooter } from '../../ui/dialog-footer.tsx';
import { Search } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { BACK } from '../../ui/texts.ts';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { useListKeys } from '../../ui/use-list-keys.ts';
import { MESSAGES } from './messages.ts';
import { RepositoryResults } from './repository-results.tsx';
import { useRepositories } from './use-repositories.ts';

type RepositoryStepProps = {
  /** Undefined when it has been removed since. */
  integration: IntegrationResource | undefined;
  onBack(): void;
  onManual(): void;
  onChoose(repository: Repository): void;
};

/** Step 1: pick a repository, with a search box. */
export function RepositoryStep({ integration, onBack, onManual, onChoose }: RepositoryStepProps) {
  return (
    <>
      <div className="flex min-h-0 flex-col gap-3 p-5">
        {integration?.values.state === 'reconnect' && (
          <Notice tone="busy">
            {MESSAGES.accessExpired}{' '}
            <Link to={ROUTES.integrations} className="rounded font-medium underline">
              {MESSAGES.reconnect}
            </Link>
          </Notice>
        )}
        {integration === undefined ? (
          <Notice tone="idle">{MESSAGES.integrationRemoved}</Notice>
        ) : (
          <RepositoryPicker integrationId={integration.id} onChoose={onChoose} />
        )}
      </div>
      <DialogFooter>
        <Button kind="ghost" onClick={onManual}>
          {MESSAGES.manual}
        </Button>
        <Button onClick={onBack}>{BACK}</Button>
      </DialogFooter>
    </>
  );
}

type RepositoryPickerProps = { integrationId: string; onChoose(repository: Repository): void };

/** Arrow keys and Enter pick a result; the focus stays in the search box. */
function RepositoryPicker({ integrationId, onChoose }: RepositoryPickerProps) {
  const toast = useToast();
  const [search, setSearch] = useState('');
  const { state, shown, isSearching, reload } = useRepositories(integrationId, search);
  const keys = useListKeys({
    count: shown.length,
    first: 0,
    onChoose: (index) => shown[index] && onChoose(shown[index]),
  });
  const hasFailed = state.kind === 'failed';

  useEffect(() => {
    if (hasFailed) toast({ tone: 'bad', ...MESSAGES.repositoriesFailed });
  }, [hasFailed, toast]);

  return (
    <>
      <div className="relative">
        <Search
          size={15}
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-faint"
        />
        <TextInput
          type="search"
          role="combobox"
          aria-label={MESSAGES.searchRepositories}
          aria-expanded={shown.length > 0}
          aria-controls={keys.listId}
          aria-activedescendant={keys.activeId}
          aria-autocomplete="list"
          placeholder={MESSAGES.searchRepositories}
          autoComplete="off"
          spellCheck={false}
          className="pl-9 [&::-webkit-search-cancel-button]:hidden"
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            keys.resetActive();
          }}
          onKeyDown={keys.onKeyDown}
        />
      </div>
      <RepositoryResults
        integrationId={integrationId}
        state={state}
        shown={shown}
        search={search.trim()}
        isSearching={isSearching}
        keys={keys}
        onChoose={onChoose}
        onRetry={reload}
      />
    </>
  );
}
