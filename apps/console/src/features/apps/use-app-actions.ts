import { type AppResource, ROUTES } from '@longshore/contract';
import { useState } from 'react';
import { useMutations } from '../../client/session-context.tsx';
import { useNavigateIfStillHere } from '../../lib/use-navigate-if-still-here.ts';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';
import { hasTakenEffect, type PendingAction } from './model/pending-action.ts';

/** Hibernate, wake and delete, and the action that is pending. Edits are sent by the edit dialog (`isSaving`). */
export function useAppActions(app: AppResource, isSaving: boolean) {
  const { updateApp, deleteResource } = useMutations();
  const toast = useToast();
  const navigateIfStillHere = useNavigateIfStillHere();
  const [pending, setPending] = useState<PendingAction>();
  if (pending !== undefined && hasTakenEffect(pending, app)) setPending(undefined);

  function actionOf(kind: PendingAction['kind']): PendingAction {
    return { kind, since: app.updatedAt };
  }

  async function setInstances(instances: 0 | 1): Promise<void> {
    setPending(actionOf(instances === 0 ? 'hibernating' : 'waking'));
    const result = await updateApp(app.id, { ...app.values, instances }, app.updatedAt);
    if (result.ok) return;
    setPending(undefined);
    const { error, message } = result.error;
    const text = error === 'conflict' ? MESSAGES.conflict : message;
    toast({ tone: 'bad', title: MESSAGES.sleepFailed, text });
  }

  /** Returns whether it succeeded. Then the project page opens. */
  async function remove(): Promise<boolean> {
    setPending(actionOf('deleting'));
    const result = await deleteResource(app.id);
    if (result.ok) {
      // Back must not open the page of a deleted app.
      navigateIfStillHere(ROUTES.project(app.values.projectId), { replace: true });
      return true;
    }
    setPending(undefined);
    toast({ tone: 'bad', title: MESSAGES.deleteFailed, text: result.error.message });
    return false;
  }

  /** For an action that another part of the page has sent. */
  function markUpdating(): void {
    setPending(actionOf('updating'));
  }

  const saving: PendingAction | undefined = isSaving ? actionOf('updating') : undefined;
  return { pending: pending ?? saving, setInstances, remove, markUpdating };
}
