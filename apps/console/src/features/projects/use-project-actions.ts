import type { ProjectResource } from '@longshore/contract';
import { useMutations, useUser } from '../../client/session-context.tsx';
import { errorMessage } from '../../lib/error-message.ts';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';

/** Each answers whether it worked, and has said so when it did not. */
export function useProjectActions() {
  const { createProject, updateProject, deleteResource } = useMutations();
  const user = useUser();
  const toast = useToast();

  async function create(name: string): Promise<boolean> {
    if (user.id === '') {
      toast({ tone: 'bad', title: MESSAGES.invalidInput, text: MESSAGES.userIdMissing });
      return false;
    }
    const outcome = await createProject({ name });
    if (!outcome.ok)
      toast({ tone: 'bad', title: MESSAGES.createFailed, text: outcome.error.message });
    return outcome.ok;
  }

  async function rename(project: ProjectResource, name: string): Promise<boolean> {
    const outcome = await updateProject(project.id, { name });
    if (!outcome.ok)
      toast({ tone: 'bad', title: MESSAGES.renameFailed, text: outcome.error.message });
    return outcome.ok;
  }

  /** Spec §5: blocked while the project has apps. */
  async function remove(project: ProjectResource, appCount: number): Promise<boolean> {
    if (appCount > 0) {
      toast({ tone: 'bad', ...MESSAGES.deleteBlocked });
      return false;
    }
    try {
      const outcome = await deleteResource(project.id);
      if (!outcome.ok) toast({ tone: 'bad', ...MESSAGES.deleteFailed });
      return outcome.ok;
    } catch (error) {
      toast({ tone: 'bad', title: MESSAGES.deleteError, text: errorMessage(error) });
      return false;
    }
  }

  return { create, rename, remove };
}
