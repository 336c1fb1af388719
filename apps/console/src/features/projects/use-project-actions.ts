import type { RequestError } from '@longshore/client';
import type { ProjectResource } from '@longshore/contract';
import { useMutations, useUser } from '../../client/session-context.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';

/** Each action returns whether it succeeded and shows a toast if it failed. */
export function useProjectActions() {
  const { createProject, updateProject, deleteResource } = useMutations();
  const user = useUser();
  const toast = useToast();

  async function create(name: string, then: (projectId: string) => void): Promise<boolean> {
    if (user.id === '') {
      toast({ tone: 'bad', title: MESSAGES.invalidInput, text: MESSAGES.userIdMissing });
      return false;
    }
    const result = await createProject({ name });
    if (result.ok) then(result.id);
    else toast({ tone: 'bad', title: MESSAGES.createFailed, text: result.error.message });
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
    const result = await deleteResource(project.id);
    if (!result.ok) toast({ tone: 'bad', ...deletionFailure(result.error) });
    return result.ok;
  }

  return { create, rename, remove };
}

/** A refusal has the specified text. Without a usable response, it is unknown what happened: the toast shows the error. */
function deletionFailure({ status, message }: RequestError): { title: string; text: string } {
  const isRefused = status > 0 && status < 500;
  return isRefused ? MESSAGES.deleteFailed : { title: MESSAGES.deleteError, text: message };
}
