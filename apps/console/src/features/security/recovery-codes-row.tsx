import type { useQuery } from '../../client/use-query.ts';
import { Button } from '../../ui/button.tsx';
import { TriangleAlert } from '../../ui/icons.tsx';
import { LoadFailedRow } from './list-card.tsx';
import { recoveryCodesView } from './model/recovery-codes.ts';

/** The number of unused recovery codes, and a function to load it again. */
export type RecoveryCodeCount = Pick<ReturnType<typeof useQuery<number>>, 'state' | 'reload'>;

type RecoveryCodesRowProps = { count: RecoveryCodeCount; onCreate(): void };

/** How many recovery codes are left, with a warning if there are few. */
export function RecoveryCodesRow({ count: { state, reload }, onCreate }: RecoveryCodesRowProps) {
  if (state.kind === 'loading') return null;
  if (state.kind === 'failed') return <LoadFailedRow message={state.message} onRetry={reload} />;
  const { text, isLow, action } = recoveryCodesView(state.data);
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3">
      <div className="flex min-w-0 flex-1 basis-56 items-start gap-2">
        {isLow && (
          <TriangleAlert size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-busy" />
        )}
        <p className={isLow ? 'text-busy' : 'text-muted'}>{text}</p>
      </div>
      <Button size="small" onClick={onCreate}>
        {action}
      </Button>
    </div>
  );
}
