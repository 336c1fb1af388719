import { isRecord } from '@longshore/contract';
import { readDraft } from './model/read-draft.ts';
import { firstState, type WizardState } from './model/wizard.ts';

const KEY = 'deployDraft';

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Spec §3: the draft is kept in local storage and cleared on reset or success. One draft, of one project. */
export function rememberDraft(storage: Storage, projectId: string, state: WizardState): void {
  if (!isUntouched(state)) keep(storage, JSON.stringify({ projectId, ...state }));
  else if (recallDraft(storage, projectId) !== undefined) forgetDraft(storage);
}

export function forgetDraft(storage: Storage): void {
  storage.removeItem(KEY);
}

/** Nothing when there is no draft, when it is another project's, or when it cannot be read. */
export function recallDraft(storage: Storage, projectId: string): WizardState | undefined {
  const stored = readJson(storage.getItem(KEY));
  if (!isRecord(stored) || stored.projectId !== projectId) return undefined;
  const { step, draft } = stored;
  if ((step !== 0 && step !== 1 && step !== 2) || !isRecord(draft)) return undefined;
  return { step, draft: readDraft(draft) };
}

function keep(storage: Storage, text: string): void {
  try {
    storage.setItem(KEY, text);
  } catch {
    // A full storage must stop nobody from deploying; what was kept last stays.
  }
}

/** Opening the dialog is not yet a draft, and takes the place of none. */
function isUntouched(state: WizardState): boolean {
  return JSON.stringify(state) === JSON.stringify(firstState());
}

function readJson(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
