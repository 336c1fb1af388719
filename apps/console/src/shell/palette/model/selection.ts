import type { PaletteEntry } from './palette-entries.ts';

/**
 * The selected entry, by its key: it stays selected when live data changes the list. `isAsked`: Enter was pressed on an
 * entry that needs confirmation.
 */
export type Selection = { key: string | undefined; isAsked: boolean };

/** The selection in a new list. With an empty input, Enter must not run a command that needs confirmation. */
export function firstSelection(entries: PaletteEntry[], typed: string): Selection {
  const harmless = entries.find(({ needsConfirmation }) => !needsConfirmation);
  const first = typed.trim() === '' ? harmless : entries[0];
  return { key: first?.key, isAsked: false };
}

/** Selecting the same entry again keeps the question. */
export function select(selection: Selection, key: string | undefined): Selection {
  return selection.key === key ? selection : { key, isAsked: false };
}

/** -1 if the entry has disappeared: Enter must not run its neighbour. The first one if there was none to select. */
export function positionOf({ key }: Selection, entries: PaletteEntry[]): number {
  if (key === undefined) return Math.min(0, entries.length - 1);
  return entries.findIndex((entry) => entry.key === key);
}

/** Whether choosing the entry runs it, or asks first. */
export function isConfirmed({ key, isAsked }: Selection, entry: PaletteEntry): boolean {
  return !entry.needsConfirmation || (isAsked && key === entry.key);
}
