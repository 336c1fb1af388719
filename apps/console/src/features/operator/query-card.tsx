import type { ReactNode } from 'react';
import type { QueryState } from '../../client/use-query.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { LOADING, TRY_AGAIN } from '../../ui/texts.ts';
import { MESSAGES } from './messages.ts';

type QueryCardProps<Data> = QueryContentProps<Data> & { title: string; actions?: ReactNode };

type QueryContentProps<Data> = {
  /** The height of what comes. */
  skeleton: string;
  query: { state: QueryState<Data>; reload(): void };
  children(data: Data): ReactNode;
};

/** A card whose content is loading, failed or ready. */
export function QueryCard<Data>({ title, actions, ...content }: QueryCardProps<Data>) {
  return (
    <Card title={title} actions={actions}>
      <QueryContent {...content} />
    </Card>
  );
}

export function QueryContent<Data>({ skeleton, query, children }: QueryContentProps<Data>) {
  const { state, reload } = query;
  switch (state.kind) {
    case 'loading':
      return (
        <div role="status" className="p-4">
          <span className="sr-only">{LOADING}</span>
          <Skeleton className={skeleton} />
        </div>
      );
    case 'failed':
      return (
        <div role="alert" className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
          <p className="text-muted">
            {MESSAGES.loadFailed}: {state.message || MESSAGES.noReason}
          </p>
          <Button size="small" onClick={reload}>
            {TRY_AGAIN}
          </Button>
        </div>
      );
    case 'ready':
      return children(state.data);
  }
}
