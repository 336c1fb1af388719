import { type AppResource, ROUTES } from '@longshore/contract';
import { useState } from 'react';
import { useMutations } from '../../client/session-context.tsx';
import { useNavigateIfStillHere } from '../../lib/use-navigate-if-still-here.ts';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';
import { isOver, type Pending } from './model/pending.ts';

/** Hibernate, wake and delete, with the wish that is still on its way, be it an edit that another part sends. */
export function useAppActions(app: AppResource, isSaving: boolean) {
  const { updateApp, deleteResource } = useMutations();
  const toast = useToast();
  const navigateIfStillHere = useNavigateIfStillHere();
  const [pending, setPending] = useState<Pending>();
  if (pending !== undefined && isOver(pending, app)) setPending(undefined);

  function wish(kind: Pending['kind']): Pending {
    return { kind, since: app.updatedAt };
  }

  async function setInstances(instances: 0 | 1): Promise<void> {
    setPending(wish(instances === 0 ? 'hibernating' : 'waking'));
    const outcome = await updateApp(app.id, { ...app.values, instances }, app.generation);
    if (outcome.ok) return;
    setPending(undefined);
    const { error, message } = outcome.error;
    const text = error === 'conflict' ? MESSAGES.changedMeanwhile : message;
    toast({ tone: 'bad', title: MESSAGES.sleepFailed, text });
  }

  /** Answers whether it worked; then the page is on its way to the project. */
  async function remove(): Promise<boolean> {
    setPending(wish('deleting'));
    const outcome = await deleteResource(app.id);
    if (outcome.ok) {
      // The way back must not lead to a page of nothing.
      navigateIfStillHere(ROUTES.project(app.values.projectId), { replace: true });
      return true;
    }
    setPending(undefined);
    toast({ tone: 'bad', title: MESSAGES.deleteFailed, text: outcome.error.message });
    return false;
  }

  /** For a wish that another part of the page has sent. */
  function markUpdating(): void {
    setPending(wish('updating'));
  }

  const saving: Pending | undefined = isSaving ? wish('updating') : undefined;
  return { pending: pending ?? saving, setInstances, remove, markUpdating };
}
