import { clsx } from 'clsx';
import { useAccountUsage } from '../../client/use-account-usage.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { LOADING, TRY_AGAIN } from '../../ui/texts.ts';
import { MESSAGES } from './messages.ts';
import { bytesText, type UsageRow, usageRows } from './model/usage-view.ts';

const { usage: TEXTS } = MESSAGES;

/** What the account uses, and its limits. */
export function UsageCard() {
  const { state, reload } = useAccountUsage();
  // Servers without quotas.
  if (state.kind === 'ready' && state.data === undefined) return null;
  return (
    <Card title={TEXTS.title}>
      {state.kind === 'loading' && (
        <div role="status" className="p-4">
          <span className="sr-only">{LOADING}</span>
          <Skeleton className="h-52" />
        </div>
      )}
      {state.kind === 'failed' && (
        <div role="alert" className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
          <p className="text-muted">{TEXTS.loadFailed(state.message)}</p>
          <Button size="small" onClick={reload}>
            {TRY_AGAIN}
          </Button>
        </div>
      )}
      {state.kind === 'ready' && state.data !== undefined && (
        <div className="grid gap-4 p-4">
          <ul className="grid gap-4">
            {usageRows(state.data).map((row) => (
              <Row key={row.name} {...row} />
            ))}
          </ul>
          <p className="text-xs text-faint">
            {TEXTS.perApp(bytesText(state.data.perApp.memoryBytes), state.data.perApp.cpus)}
          </p>
        </div>
      )}
    </Card>
  );
}

function Row({ name, text, share, advice }: UsageRow) {
  return (
    <li className="grid gap-1.5">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="text-faint">{name}</span>
        <span className="tabular-nums">{text}</span>
      </p>
      {share !== undefined && (
        <div aria-hidden="true" className="h-1 overflow-hidden rounded-full bg-line">
          <div
            className={clsx('h-full rounded-full', advice === undefined ? 'bg-accent' : 'bg-busy')}
            style={{ width: `${share * 100}%` }}
          />
        </div>
      )}
      {advice !== undefined && <p className="text-busy">{advice}</p>}
    </li>
  );
}
