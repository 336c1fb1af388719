import type { EditSummary } from './model/edit-summary.ts';

/**
 * Room for what is usual is kept from the beginning, so that nothing jumps while one types; where there is little of it, what
 * saving causes is enough. Only that is announced: what is being typed is known already.
 */
export function EditSummaryNote({ changes, effect }: EditSummary) {
  return (
    <div className="grid min-h-29 shrink-0 content-center gap-0.5 border-t border-line px-5 py-2 text-xs leading-4.5 sm:min-h-18 [@media(max-height:32rem)]:min-h-0">
      {changes !== '' && (
        <p className="wrap-anywhere text-muted [@media(max-height:32rem)]:hidden">{changes}</p>
      )}
      <p role="status" className="text-text">
        {effect}
      </p>
    </div>
  );
}
