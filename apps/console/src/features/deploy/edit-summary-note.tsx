import type { EditSummary } from './model/edit-summary.ts';

/**
 * Room for what is usual is kept from the beginning, so that nothing jumps while one types. Only what saving causes is
 * announced: what is being typed is known already.
 */
export function EditSummaryNote({ changes, effect }: EditSummary) {
  return (
    <div className="grid min-h-26 shrink-0 content-center border-t border-line bg-sunken px-5 py-2.5 sm:min-h-16">
      {changes !== '' && <p className="wrap-anywhere text-muted">{changes}</p>}
      <p role="status">{effect}</p>
    </div>
  );
}
