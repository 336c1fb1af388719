import type { AppResource } from '@longshore/contract';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Pill } from '../../ui/pill.tsx';
import { MESSAGES } from './messages.ts';
import { trafficSummary } from './model/traffic-summary.ts';
import { TrafficDialog } from './traffic-dialog.tsx';

/** How requests are handled before they reach the app. */
export function TrafficCard({ app }: { app: AppResource }) {
  const [isEditing, setEditing] = useState(false);
  const rows = trafficSummary(app.values.edge);
  return (
    <Card
      title={
        <span className="flex items-center gap-2">
          {MESSAGES.title}
          {app.values.edge?.maintenance && <Pill>{MESSAGES.maintenance.pill}</Pill>}
        </span>
      }
      actions={
        <Button size="small" aria-label={MESSAGES.editLabel} onClick={() => setEditing(true)}>
          {MESSAGES.edit}
        </Button>
      }
    >
      {rows.length === 0 ? (
        <p className="px-4 py-3 text-muted">{MESSAGES.empty}</p>
      ) : (
        <dl className="px-4 py-2.5">
          {rows.map(({ name, values }) => (
            <div key={name} className="flex gap-x-4 py-1.5 max-sm:flex-col">
              <dt className="w-44 shrink-0 text-faint">{name}</dt>
              <dd className="min-w-0 wrap-anywhere">
                {values.map((value) => (
                  <p key={value}>{value}</p>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {isEditing && <TrafficDialog app={app} onClose={() => setEditing(false)} />}
    </Card>
  );
}
