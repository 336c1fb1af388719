import type { AppResource } from '@longshore/contract';
import { Link } from 'react-router';
import { useConfig } from '../../client/console-environment.tsx';
import { buttonStyle } from '../../ui/button-style.ts';
import { Card } from '../../ui/card.tsx';
import { MESSAGES } from './messages.ts';
import { type UsageTile, usageTiles } from './model/usage-tiles.ts';
import { Sparkline } from './sparkline.tsx';
import type { LoadedMetrics } from './use-app-metrics.ts';

type UsageCardProps = {
  app: AppResource;
  /** Of the last hour. Undefined until they are loaded. */
  metrics: LoadedMetrics | undefined;
  /** Path of the metrics. */
  to: string;
};

const TEXTS = MESSAGES.usage;

/** CPU, memory, requests and errors of the last hour. Nothing before the first numbers. */
export function UsageCard({ app, metrics, to }: UsageCardProps) {
  const { tiers, engine } = useConfig();
  const size = tiers?.find(({ name }) => name === app.values.resourceTier);
  const createdAt = Date.parse(app.createdAt);
  const tiles = metrics && usageTiles({ ...metrics, size, createdAt, engine });
  if (tiles === undefined) return null;
  return (
    <Card
      title={TEXTS.title}
      actions={
        <div className="flex items-center gap-2">
          <span className="text-xs text-faint">{TEXTS.note}</span>
          <Link to={to} className={buttonStyle('ghost', 'small', '-mr-2')}>
            {TEXTS.open}
          </Link>
        </div>
      }
    >
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 px-4 py-3.5 xl:grid-cols-4">
        {tiles.map((tile) => (
          <Tile key={tile.name} {...tile} />
        ))}
      </dl>
    </Card>
  );
}

function Tile({ name, value, note, values, maximum, label }: UsageTile) {
  return (
    <div className="grid min-w-0 content-start gap-1">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="grid gap-1.5">
        <span className="font-semibold tabular-nums">
          {value} <span className="text-xs font-normal text-muted">{note}</span>
        </span>
        <Sparkline values={values} maximum={maximum} label={label} />
      </dd>
    </div>
  );
}
