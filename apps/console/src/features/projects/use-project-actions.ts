import type { ProjectResource } from '@longshore/contract';
import { useMutations, useUser } from '../../client/session-context.tsx';
import { errorMessage } from '../../lib/error-message.ts';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';

/** Each action returns whether it succeeded and shows a toast if it failed. */
export function useProjectActions() {
  const { createProject, updateProject, deleteResource } = useMutations();
  const user = useUser();
  const toast = useToast();

  async function create(name: string): Promise<boolean> {
    if (user.id === '') {
      toast({ tone: 'bad', title: MESSAGES.invalidInput, text: MESSAGES.userIdMissing });
      return false;
    }
    const result = await createProject({ name });
    if (!result.ok)
      toast({ tone: 'bad', title: MESSAGES.createFailed, text: result.error.message });
    return result.ok;
  }

  async function rename(project: ProjectResource, name: string): Promise<boolean> {
    const result = await updateProject(project.id, { name });
    if (!result.ok)
      toast({ tone: 'bad', title: MESSAGES.renameFailed, text: result.error.message });
    return result.ok;
  }

  /** Blocked while the project has apps (spec-map 5.2). */
  async function remove(project: ProjectResource, appCount: number): Promise<boolean> {
    if (appCount > 0) {
      toast({ tone: 'bad', ...MESSAGES.deleteBlocked });
      return false;
    }
    try {
      const result = await deleteResource(project.id);
      if (!result.ok) toast({ tone: 'bad', ...MESSAGES.deleteFailed });
      return result.ok;
    } catch (error) {
      toast({ tone: 'bad', title: MESSAGES.deleteError, text: errorMessage(error) });
      return false;
    }
  }

  return { create, rename, remove };
}
