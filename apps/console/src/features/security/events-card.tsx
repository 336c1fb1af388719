import type { SecurityEvent } from '@longshore/contract';
import { clsx } from 'clsx';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { type List, ListCard, RowText } from './list-card.tsx';
import { MESSAGES } from './messages.ts';
import { deviceName } from './model/device-name.ts';
import { eventText, isWarning } from './model/event-text.ts';

const INITIAL_ROWS = 10;

/** The security events of the account, newest first. */
export function EventsCard({ events }: { events: List<SecurityEvent> }) {
  const [showsAll, setShowsAll] = useState(false);
  const canShowMore =
    !showsAll && events.state.kind === 'ready' && events.state.data.length > INITIAL_ROWS;
  return (
    <ListCard
      title={MESSAGES.events.title}
      emptyText={MESSAGES.events.none}
      list={events}
      {...(showsAll ? {} : { maxRows: INITIAL_ROWS })}
      actions={
        canShowMore && (
          <Button size="small" onClick={() => setShowsAll(true)}>
            {MESSAGES.events.more}
          </Button>
        )
      }
    >
      {({ kind, details, at, address, userAgent }) => (
        <RowText
          title={
            <span className={clsx(isWarning(kind) && 'text-bad')}>
              {eventText({ kind, details })}
            </span>
          }
        >
          <TimeAgo at={at} />
          {userAgent !== null && <span>{deviceName(userAgent)}</span>}
          {address !== null && <span className="font-mono">{address}</span>}
        </RowText>
      )}
    </ListCard>
  );
}
