import type { Delivery, DeliveryOutcome } from '@longshore/contract';
import { clsx } from 'clsx';
import { useRequest } from '../../client/use-request.ts';
import { Button } from '../../ui/button.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { MESSAGES } from './messages.ts';
import { deliveryTitle } from './model/delivery-title.ts';

const TONES: Record<DeliveryOutcome, string> = {
  deployed: 'bg-ok-wash text-ok',
  ignored: 'bg-idle-wash text-idle',
  refused: 'bg-bad-wash text-bad',
};

type DeliveryItemProps = { delivery: Delivery; onReplay(): Promise<void> };

export function DeliveryItem({ delivery, onReplay }: DeliveryItemProps) {
  const { isBusy, send } = useRequest(onReplay);
  const title = deliveryTitle(delivery);
  // What was no push holds nothing to deploy.
  const canReplay = delivery.outcome !== 'refused' && delivery.ref !== null;
  return (
    <li className="grid gap-1 px-4 py-3">
      <div className="flex items-center gap-2">
        <span
          className={clsx('rounded-full px-2 py-0.5 text-xs font-medium', TONES[delivery.outcome])}
        >
          {MESSAGES.outcomes[delivery.outcome]}
        </span>
        {delivery.isReplay && <span className="text-xs text-faint">{MESSAGES.isReplay}</span>}
        <span className="ml-auto text-xs text-muted">
          <TimeAgo at={delivery.at} />
        </span>
      </div>
      <p className="font-mono text-xs break-all">{title}</p>
      <div className="flex items-end justify-between gap-2">
        <p className="text-muted">{delivery.reason}</p>
        {canReplay && (
          <Button
            size="small"
            isBusy={isBusy}
            aria-label={MESSAGES.replayOf(title)}
            onClick={() => void send(undefined)}
          >
            {MESSAGES.replay}
          </Button>
        )}
      </div>
    </li>
  );
}
