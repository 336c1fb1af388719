import type { Observable } from '../lib/observable.ts';
import type { ResourcesState } from './backend.ts';

const PATIENCE_MS = 3_000;

/** Resolves once the live list holds the row, or when it is long overdue. */
export async function untilRowShown(rows: Observable<ResourcesState>, id: string): Promise<void> {
  if (hasRow(rows.state(), id)) return;
  await new Promise<void>((resolve) => {
    const stop = rows.subscribe(() => {
      if (hasRow(rows.state(), id)) end();
    });
    const timer = setTimeout(end, PATIENCE_MS);
    function end() {
      clearTimeout(timer);
      stop();
      resolve();
    }
  });
}

function hasRow(state: ResourcesState, id: string): boolean {
  return state.kind === 'ready' && state.resources.some((row) => row.id === id);
}
