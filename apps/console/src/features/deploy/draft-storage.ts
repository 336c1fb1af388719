import { isRecord } from '@longshore/contract';
import { decodeDraft } from './model/deploy-draft.ts';
import { initialState, type WizardState } from './model/wizard.ts';

const KEY = 'deployDraft';

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** One draft is stored, for one project (spec-map 3.7). An untouched wizard clears only the draft of its own project. */
export function saveDraft(storage: Storage, projectId: string, state: WizardState): void {
  if (!isUntouched(state)) store(storage, JSON.stringify({ projectId, ...state }));
  else if (loadDraft(storage, projectId) !== undefined) clearDraft(storage);
}

export function clearDraft(storage: Storage): void {
  storage.removeItem(KEY);
}

/** Undefined when there is no draft, when it belongs to another project, or when it cannot be parsed. */
export function loadDraft(storage: Storage, projectId: string): WizardState | undefined {
  const stored = parseJson(storage.getItem(KEY));
  if (!isRecord(stored) || stored.projectId !== projectId) return undefined;
  const { step, draft } = stored;
  if ((step !== 0 && step !== 1 && step !== 2) || !isRecord(draft)) return undefined;
  return { step, draft: decodeDraft(draft) };
}

function store(storage: Storage, text: string): void {
  try {
    storage.setItem(KEY, text);
  } catch {
    // Storage is full: deploying still works, and the last stored draft stays.
  }
}

function isUntouched(state: WizardState): boolean {
  return JSON.stringify(state) === JSON.stringify(initialState());
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
