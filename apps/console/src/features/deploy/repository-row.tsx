import type { Repository } from '@longshore/contract';
import { Lock } from '../../ui/icons.tsx';
import { Pill } from '../../ui/pill.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { MESSAGES } from './messages.ts';

export function RepositoryRow({ repository }: { repository: Repository }) {
  const { full_name, description, isPrivate, activeAt } = repository;
  const group = full_name.slice(0, full_name.lastIndexOf('/') + 1);
  return (
    <>
      <span className="min-w-0 flex-1">
        {/* Where there is little room, the name is what stays. */}
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
