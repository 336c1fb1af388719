import type { OperatorService } from '@longshore/client';
import type { AuditEvent, AuditPage } from '@longshore/contract';
import { useCallback, useState } from 'react';
import { useQuery } from '../../client/use-query.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { MESSAGES } from './messages.ts';
import { eventText } from './model/amounts.ts';
import { QueryContent } from './query-card.tsx';
import { useChange } from './use-change.ts';

const { events: TEXTS } = MESSAGES;
const SEARCH_DELAY_MS = 250;

const KINDS = [
  'signed-up',
  'signed-in',
  'sign-in-refused',
  'signed-out',
  'password-changed',
  'email-changed',
  'mfa-activated',
  'mfa-deactivated',
  'mfa-refused',
  'access-token-created',
  'refresh-token-reused',
  'operator-granted',
  'operator-revoked',
  'sign-up-mode-changed',
  'invitation-created',
  'invitation-revoked',
  'user-disabled',
  'user-enabled',
  'quotas-changed',
];

/** Security events of all users, newest first. */
export function AuditCard({ operator }: { operator: OperatorService }) {
  const [kind, setKind] = useState('');
  const [user, setUser] = useState('');
  const settledUser = useDebounced(user.trim(), SEARCH_DELAY_MS);
  return (
    <Card title={TEXTS.title}>
      <div className="grid gap-4 border-b border-line p-4 sm:grid-cols-2">
        <SelectField
          label={TEXTS.kind}
          value={kind}
          options={[
            { value: '', label: TEXTS.allKinds },
            ...KINDS.map((value) => ({ value, label: eventText(value) })),
          ]}
          onChange={setKind}
        />
        <Field
          label={TEXTS.search}
          type="search"
          autoComplete="off"
          value={user}
          onChange={(event) => setUser(event.target.value)}
        />
      </div>
      <AuditList key={`${kind} ${settledUser}`} {...{ operator, kind }} user={settledUser} />
    </Card>
  );
}

type AuditListProps = { operator: OperatorService; kind: string; user: string };

/** The newest page, and older ones on demand. */
function AuditList({ operator, kind, user }: AuditListProps) {
  const load = useCallback(
    (signal: AbortSignal) => operator.events({ kind, user, before: '', signal }),
    [operator, kind, user],
  );
  const query = useQuery(load);
  const older = useChange(operator.events);
  const [olderPages, setOlderPages] = useState<AuditPage[]>([]);

  async function showOlder(before: string): Promise<void> {
    const loaded = await older.run({ kind, user, before });
    if (loaded !== undefined) setOlderPages((pages) => [...pages, loaded.data]);
  }

  return (
    <QueryContent skeleton="h-64" query={query}>
      {(first) => {
        const pages = [first, ...olderPages];
        const events = pages.flatMap((page) => page.events);
        const next = pages.at(-1)?.next ?? null;
        return (
          <>
            {events.length === 0 && <p className="px-4 py-3 text-faint">{TEXTS.none}</p>}
            <ul className="divide-y divide-line">
              {events.map((event) => (
                <EventRow key={event.id} event={event} />
              ))}
            </ul>
            {next !== null && (
              <div className="border-t border-line px-4 py-3">
                <Button size="small" isBusy={older.isBusy} onClick={() => void showOlder(next)}>
                  {TEXTS.older}
                </Button>
              </div>
            )}
          </>
        );
      }}
    </QueryContent>
  );
}

function EventRow({ event }: { event: AuditEvent }) {
  const details = Object.entries(event.details).filter(([, value]) => value !== '');
  return (
    <li className="grid gap-0.5 px-4 py-2.5">
      <p className="flex flex-wrap gap-x-2">
        <span className="font-medium">{eventText(event.kind)}</span>
        <span className="min-w-0 break-all text-muted">{event.name ?? TEXTS.nobody}</span>
      </p>
      <p className="flex flex-wrap gap-x-3 text-xs text-muted">
        <TimeAgo at={event.at} />
        {event.address !== null && <span className="font-mono">{event.address}</span>}
        {details.map(([name, value]) => (
          <span key={name} className="min-w-0 break-all">
            {name}: {String(value)}
          </span>
        ))}
      </p>
    </li>
  );
}
