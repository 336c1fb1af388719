import type { ReactNode } from 'react';
import type { useQuery } from '../../client/use-query.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { LOADING, TRY_AGAIN } from '../../ui/texts.ts';
import { MESSAGES } from './messages.ts';

/** Rows of the user's account, and a function to load them again. */
export type List<Row> = Pick<ReturnType<typeof useQuery<Row[]>>, 'state' | 'reload'>;

type ListCardProps<Row> = {
  title: string;
  text?: string;
  /** Shown instead of the rows when there are none. */
  emptyText: string;
  list: List<Row>;
  /** The maximum number of rows to show. */
  maxRows?: number;
  actions?: ReactNode;
  /** Shown instead of the error if the rows could not be loaded. */
  failedRow?: ReactNode;
  children(row: Row): ReactNode;
};

/** A card with rows of the user's account: loading, failed, empty or ready. */
export function ListCard<Row extends { id: string }>(props: ListCardProps<Row>) {
  const { title, text, actions, ...rows } = props;
  return (
    <Card title={title} actions={actions}>
      {text !== undefined && <p className="px-4 pt-3 text-muted">{text}</p>}
      <Rows {...rows} />
    </Card>
  );
}

type RowsProps<Row> = Omit<ListCardProps<Row>, 'title' | 'text' | 'actions'>;

function Rows<Row extends { id: string }>(props: RowsProps<Row>) {
  const { emptyText, list, maxRows, failedRow, children } = props;
  const { state, reload } = list;
  switch (state.kind) {
    case 'loading':
      return (
        <div role="status" className="p-4">
          <span className="sr-only">{LOADING}</span>
          <Skeleton className="h-10" />
        </div>
      );
    case 'failed':
      return failedRow ?? <LoadFailedRow message={state.message} onRetry={reload} />;
    case 'ready':
      if (state.data.length === 0) return <p className="px-4 py-3 text-faint">{emptyText}</p>;
      return (
        <ul className="divide-y divide-line">
          {state.data.slice(0, maxRows).map((row) => (
            <li key={row.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
              {children(row)}
            </li>
          ))}
        </ul>
      );
  }
}

export function LoadFailedRow({ message, onRetry }: { message: string; onRetry(): void }) {
  return (
    <div role="alert" className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <p className="text-muted">
        {MESSAGES.loadFailed}: {message || MESSAGES.noReason}
      </p>
      <Button size="small" onClick={onRetry}>
        {TRY_AGAIN}
      </Button>
    </div>
  );
}

type RowTextProps = { title: ReactNode; children: ReactNode };

/** The title of a row, with details below it. */
export function RowText({ title, children }: RowTextProps) {
  return (
    <div className="min-w-0 flex-1">
      <p className="flex flex-wrap items-center gap-2 font-medium">{title}</p>
      <p className="flex flex-wrap gap-x-3 text-xs text-muted">{children}</p>
    </div>
  );
}
