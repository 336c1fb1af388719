import type { AppResource } from '@longshore/contract';
import { clsx } from 'clsx';
import { BreakableUrl } from '../../ui/breakable-url.tsx';
import { Card } from '../../ui/card.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { MESSAGES } from './messages.ts';
import { appFacts } from './model/app-facts.ts';

const ROW = 'flex gap-4 py-1.5';
const NAME = 'w-24 shrink-0 text-faint';

export function AppFactsCard({ app }: { app: AppResource }) {
  return (
    <Card title={MESSAGES.facts.title}>
      <dl className="px-4 py-2.5">
        {appFacts(app.values).map(({ name, value, isCode }) => (
          <div key={name} className={ROW}>
            <dt className={NAME}>{name}</dt>
            <dd className={clsx('min-w-0', isCode && 'font-mono text-[0.8125rem]')}>
              <BreakableUrl>{value}</BreakableUrl>
            </dd>
          </div>
        ))}
        <div className={ROW}>
          <dt className={NAME}>{MESSAGES.facts.created}</dt>
          <dd>
            <TimeAgo at={app.createdAt} />
          </dd>
        </div>
      </dl>
    </Card>
  );
}
