import type { SecurityEvent } from '@longshore/contract';
import { clsx } from 'clsx';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { type List, ListCard, RowText } from './list-card.tsx';
import { MESSAGES } from './messages.ts';
import { deviceName } from './model/device-name.ts';
import { eventText, isWarning } from './model/event-text.ts';

const FEW = 10;

/** What happened with the account, the newest first. */
export function EventsCard({ events }: { events: List<SecurityEvent> }) {
  const [isAll, setAll] = useState(false);
  const canShowMore = !isAll && events.state.kind === 'ready' && events.state.data.length > FEW;
  return (
    <ListCard
      title={MESSAGES.events.title}
      none={MESSAGES.events.none}
      list={events}
      {...(isAll ? {} : { most: FEW })}
      actions={
        canShowMore && (
          <Button size="small" onClick={() => setAll(true)}>
            {MESSAGES.events.more}
          </Button>
        )
      }
    >
      {({ kind, at, address, userAgent }) => (
        <RowText
          title={<span className={clsx(isWarning(kind) && 'text-bad')}>{eventText(kind)}</span>}
        >
          <TimeAgo at={at} />
          {userAgent !== null && <span>{deviceName(userAgent)}</span>}
          {address !== null && <span className="font-mono">{address}</span>}
        </RowText>
      )}
    </ListCard>
  );
}
