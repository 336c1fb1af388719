import { isRecord } from '@longshore/contract';
import { decodeDraft } from './model/deploy-draft.ts';
import { initialState, type WizardState } from './model/wizard.ts';

export const DRAFT_KEY = 'deployDraft';

/** A draft may contain secrets, so it is not kept longer. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Whose draft it is, and for which project. */
export type DraftScope = { userId: string; projectId: string };

/** One draft is stored, for one project (spec-map 3.7). An untouched wizard clears only the draft of its own project. */
export function saveDraft(
  storage: Storage,
  scope: DraftScope,
  { state, nowMs }: { state: WizardState; nowMs: number },
): void {
  if (isUntouched(state)) clearDraftOf(storage, scope);
  else store(storage, JSON.stringify({ ...scope, savedAt: nowMs, ...state }));
}

export function clearDraft(storage: Storage): void {
  storage.removeItem(DRAFT_KEY);
}

/** The draft of another project stays. */
export function clearDraftOf(storage: Storage, scope: DraftScope): void {
  if (isDraftOf(storage.getItem(DRAFT_KEY), scope)) clearDraft(storage);
}

/** Removes a draft that is older than a day or belongs to another user. */
export function removeStaleDraft(
  storage: Storage,
  { userId, nowMs }: { userId: string; nowMs: number },
): void {
  const text = storage.getItem(DRAFT_KEY);
  if (text === null) return;
  const stored = parseRecord(text);
  const isFresh =
    typeof stored.savedAt === 'number' && Math.abs(nowMs - stored.savedAt) < MAX_AGE_MS;
  if (stored.userId !== userId || !isFresh) clearDraft(storage);
}

/** Undefined when there is no draft, when it is stale or of another project, or when it cannot be parsed. */
export function loadDraft(
  storage: Storage,
  { userId, projectId }: DraftScope,
  nowMs: number,
): WizardState | undefined {
  removeStaleDraft(storage, { userId, nowMs });
  const stored = parseRecord(storage.getItem(DRAFT_KEY));
  const { step, draft } = stored;
  if (stored.projectId !== projectId || !isRecord(draft)) return undefined;
  if (step !== 0 && step !== 1 && step !== 2) return undefined;
  return { step, draft: decodeDraft(draft) };
}

/** Whether a stored text is a draft of this user and project. */
export function isDraftOf(text: string | null, { userId, projectId }: DraftScope): boolean {
  const stored = parseRecord(text);
  return stored.userId === userId && stored.projectId === projectId;
}

function store(storage: Storage, text: string): void {
  try {
    storage.setItem(DRAFT_KEY, text);
  } catch {
    // Storage is full: deploying still works, and the last stored draft stays.
  }
}

function isUntouched(state: WizardState): boolean {
  return JSON.stringify(state) === JSON.stringify(initialState());
}

/** Empty for a text that is not an object. */
function parseRecord(text: string | null): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text ?? '');
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
