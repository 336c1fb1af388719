import type { MutationResult } from '@longshore/client';
import { type AppResource, isHibernated } from '@longshore/contract';
import { useServices } from '../../client/session-context.tsx';
import { useRequest } from '../../client/use-request.ts';
import { useRegisterCommands } from '../../lib/commands.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';

/** An action on the whole app, on a button and in the palette. */
export type AppAction = ReturnType<typeof useAppAction>;

/** Deploys the app again from its current branch or tag. */
export function useRedeploy(app: AppResource, onSent: () => void): AppAction {
  const { releases } = useServices();
  return useAppAction(app.id, {
    request: releases.redeploy,
    isDisabled: app.status === 'syncing' || isHibernated(app.values),
    label: MESSAGES.redeployApp(app.values.name),
    failed: MESSAGES.redeployFailed,
    onSent,
  });
}

/** Replaces the running instance by another one of the same release. A failing app has a countdown instead. */
export function useRestart(app: AppResource, onSent: () => void): AppAction {
  const { releases } = useServices();
  return useAppAction(app.id, {
    request: releases.restart,
    isDisabled: app.status !== 'synced' || isHibernated(app.values),
    label: MESSAGES.restartApp(app.values.name),
    failed: MESSAGES.restartFailed,
    onSent,
  });
}

type ActionOptions = {
  request(appId: string): Promise<MutationResult>;
  isDisabled: boolean;
  label: string;
  failed: string;
  onSent(): void;
};

function useAppAction(
  appId: string,
  { request, isDisabled, label, failed, onSent }: ActionOptions,
) {
  const { isBusy, send } = useRequest(request);
  const toast = useToast();

  async function act(): Promise<void> {
    const result = await send(appId);
    if (result.ok) onSent();
    else toast({ tone: 'bad', title: failed, text: result.error.message });
  }

  const command = { label, needsConfirmation: true as const, run: () => void act() };
  useRegisterCommands(isDisabled || isBusy ? [] : [command]);
  return { isDisabled, isBusy, send: () => void act() };
}
