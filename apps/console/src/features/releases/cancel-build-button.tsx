import type { Release } from '@longshore/contract';
import { useServices } from '../../client/session-context.tsx';
import { useRequest } from '../../client/use-request.ts';
import { useRegisterCommands } from '../../lib/commands.tsx';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';

type CancelBuildButtonProps = {
  appId: string;
  release: Release;
  /** Also a command of the palette. For one of the buttons of a release. */
  isCommand?: boolean;
};

/** Cancels a release that is in progress. Nothing if it has ended. */
export function CancelBuildButton(props: CancelBuildButtonProps) {
  const { appId, release, isCommand = false } = props;
  const { releases } = useServices();
  const { isBusy, send } = useRequest((number: number) => releases.cancelBuild(appId, number));
  const toast = useToast();
  const hasEnded = release.outcome !== undefined;
  const label = release.buildReusedFrom === undefined ? MESSAGES.cancelBuild : MESSAGES.cancel;
  const command = MESSAGES.cancelOf(label, release.number);

  async function cancel(): Promise<void> {
    const result = await send(release.number);
    if (!result.ok)
      toast({ tone: 'bad', title: MESSAGES.cancelFailed, text: result.error.message });
  }

  useRegisterCommands(
    !isCommand || hasEnded || isBusy
      ? []
      : [{ label: command, needsConfirmation: true, run: () => void cancel() }],
  );
  if (hasEnded) return null;
  return (
    <Button size="small" isBusy={isBusy} onClick={() => void cancel()} aria-label={command}>
      {label}
    </Button>
  );
}
