import { type AppResource, isHibernated } from '@longshore/contract';
import { useServices } from '../../client/session-context.tsx';
import { useRequest } from '../../client/use-request.ts';
import { useRegisterCommands } from '../../lib/commands-context.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';

/** Makes the app anew: its branch or tag may mean something newer by now. Also by the command palette. */
export function useRedeploy(app: AppResource, onSent: () => void) {
  const { releases } = useServices();
  const { isBusy, send } = useRequest(releases.redeploy);
  const toast = useToast();
  const isDisabled = app.status === 'syncing' || isHibernated(app.values);

  async function redeploy(): Promise<void> {
    const outcome = await send(app.id);
    if (outcome.ok) onSent();
    else toast({ tone: 'bad', title: MESSAGES.redeployFailed, text: outcome.error.message });
  }

  const label = MESSAGES.redeployApp(app.values.name);
  useRegisterCommands(isDisabled || isBusy ? [] : [{ label, run: () => void redeploy() }]);
  return { isDisabled, isBusy, redeploy };
}
