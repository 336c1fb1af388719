import type { Release } from '@longshore/contract';
import { useServices } from '../../client/session-context.tsx';
import { useRequest } from '../../client/use-request.ts';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';

type CancelBuildButtonProps = { appId: string; release: Release };

/** Cancels a release that is in progress. Nothing if it has ended. */
export function CancelBuildButton({ appId, release }: CancelBuildButtonProps) {
  const { releases } = useServices();
  const { isBusy, send } = useRequest((number: number) => releases.cancelBuild(appId, number));
  const toast = useToast();
  if (release.outcome !== undefined) return null;
  const label = release.buildReusedFrom === undefined ? MESSAGES.cancelBuild : MESSAGES.cancel;

  async function cancel(): Promise<void> {
    const result = await send(release.number);
    if (!result.ok)
      toast({ tone: 'bad', title: MESSAGES.cancelFailed, text: result.error.message });
  }

  return (
    <Button
      size="small"
      isBusy={isBusy}
      onClick={() => void cancel()}
      aria-label={MESSAGES.cancelOf(label, release.number)}
    >
      {label}
    </Button>
  );
}
