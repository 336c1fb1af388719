import type { OperatorService } from '@longshore/client';
import type { OperatedUser } from '@longshore/contract';
import { clsx } from 'clsx';
import { useCallback, useState } from 'react';
import { useUser } from '../../client/session-context.tsx';
import { useQuery } from '../../client/use-query.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Pill } from '../../ui/pill.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { MESSAGES } from './messages.ts';
import { usageParts } from './model/amounts.ts';
import { QueryCard } from './query-card.tsx';
import { QuotasDialog } from './quotas-dialog.tsx';
import { useChange } from './use-change.ts';

const { users: TEXTS } = MESSAGES;
const SEARCH_DELAY_MS = 250;

type Open = { kind: 'nothing' } | { kind: 'quotas' | 'disable'; user: OperatedUser };

/** All users with their usage, searched and paged by the server. */
export function UsersCard({ operator }: { operator: OperatorService }) {
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(0);
  const [open, setOpen] = useState<Open>({ kind: 'nothing' });
  const settledSearch = useDebounced(search, SEARCH_DELAY_MS);
  const load = useCallback(
    (signal: AbortSignal) => operator.users({ search: settledSearch, page, signal }),
    [operator, settledSearch, page],
  );
  const query = useQuery(load);
  const disable = useChange(operator.disableUser, TEXTS.wasDisabled);
  const enable = useChange(operator.enableUser, TEXTS.wasEnabled);
  const close = () => setOpen({ kind: 'nothing' });

  return (
    <>
      <QueryCard
        title={TEXTS.title}
        skeleton="h-96"
        query={query}
        actions={
          <SearchInput
            label={TEXTS.search}
            value={search}
            onChange={(value) => {
              setSearch(value);
              setPage(0);
            }}
          />
        }
      >
        {({ users, total, pageSize }) => (
          <>
            {users.length === 0 && <p className="px-4 py-3 text-faint">{TEXTS.none}</p>}
            <ul className="divide-y divide-line">
              {users.map((user) => (
                <UserRow
                  key={user.id}
                  user={user}
                  onQuotas={() => setOpen({ kind: 'quotas', user })}
                  onDisable={() => setOpen({ kind: 'disable', user })}
                  onEnable={async () => {
                    await enable.run(user.id);
                    query.reload();
                  }}
                />
              ))}
            </ul>
            {total > pageSize && (
              <Pager page={page} pageSize={pageSize} total={total} onPage={setPage} />
            )}
          </>
        )}
      </QueryCard>
      {open.kind === 'quotas' && (
        <QuotasDialog
          operator={operator}
          user={open.user}
          title={TEXTS.quotasOf(nameOf(open.user))}
          onClose={close}
          onSaved={query.reload}
        />
      )}
      {open.kind === 'disable' && (
        <ConfirmDialog
          isOpen
          onOpenChange={close}
          title={`${TEXTS.disableNamed(nameOf(open.user))}?`}
          confirmLabel={TEXTS.disable}
          isBusy={disable.isBusy}
          onConfirm={async () => {
            await disable.run(open.user.id);
            close();
            query.reload();
          }}
        >
          <p>{TEXTS.disableText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

type UserRowProps = {
  user: OperatedUser;
  onQuotas(): void;
  onDisable(): void;
  onEnable(): Promise<void>;
};

function UserRow({ user, onQuotas, onDisable, onEnable }: UserRowProps) {
  const isSelf = useUser().id === user.id;
  const name = nameOf(user);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
      <div className="grid min-w-0 flex-1 basis-64 gap-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="min-w-0 break-all">{name}</span>
          {user.role === 'operator' && <Pill>{TEXTS.operator}</Pill>}
          {user.isDisabled && <Pill>{TEXTS.disabled}</Pill>}
          {!user.isVerified && user.role !== 'anonymous' && <Pill>{TEXTS.unverified}</Pill>}
          {user.hasSecondFactor && <Pill>{TEXTS.secondFactor}</Pill>}
        </p>
        <p className="flex flex-wrap gap-x-3 text-xs text-muted">
          <span>
            {TEXTS.createdAt} <TimeAgo at={user.createdAt} />
          </span>
          {user.lastSignInAt === null ? (
            <span>{TEXTS.never}</span>
          ) : (
            <span>
              {TEXTS.lastSignIn} <TimeAgo at={user.lastSignInAt} />
            </span>
          )}
        </p>
        <dl className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
          {usageParts(user.usage).map(({ name: quota, label, text, isReached }) => (
            <div key={quota} className="flex gap-1.5">
              <dt className="text-faint">{label}</dt>
              <dd className={clsx('tabular-nums', isReached && 'text-busy')}>{text}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div className="flex gap-2">
        {user.role === 'user' && (
          <Button size="small" aria-label={TEXTS.quotasOf(name)} onClick={onQuotas}>
            {TEXTS.quotas}
          </Button>
        )}
        {user.isDisabled && (
          <Button size="small" aria-label={TEXTS.enableNamed(name)} onClick={() => void onEnable()}>
            {TEXTS.enable}
          </Button>
        )}
        {!user.isDisabled && !isSelf && (
          <Button size="small" aria-label={TEXTS.disableNamed(name)} onClick={onDisable}>
            {TEXTS.disable}
          </Button>
        )}
      </div>
    </li>
  );
}

type PagerProps = { page: number; pageSize: number; total: number; onPage(page: number): void };

function Pager({ page, pageSize, total, onPage }: PagerProps) {
  const from = page * pageSize + 1;
  const to = Math.min(total, from + pageSize - 1);
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3">
      <p role="status" className="text-muted tabular-nums">
        {TEXTS.range(from, to, total)}
      </p>
      <div className="flex gap-2">
        <Button size="small" isDisabled={page === 0} onClick={() => onPage(page - 1)}>
          {TEXTS.previous}
        </Button>
        <Button size="small" isDisabled={to >= total} onClick={() => onPage(page + 1)}>
          {TEXTS.next}
        </Button>
      </div>
    </div>
  );
}

function nameOf({ name }: OperatedUser): string {
  return name ?? TEXTS.anonymous;
}
