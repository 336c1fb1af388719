import { type AppResource, isHibernated, type Pin, type Release } from '@longshore/contract';
import { useServices } from '../../client/session-context.tsx';
import { useRequest } from '../../client/use-request.ts';
import { useRegisterCommands } from '../../lib/commands.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';
import { cancelledUpdate, pinTexts } from './model/release-rows.ts';

type ReleaseNoticesProps = {
  app: AppResource;
  /** Newest first. */
  history: Release[];
  /** Whether pushes are deployed; undefined while that is unknown. */
  isPushOn: boolean | undefined;
  onSent(): void;
};

/** Why an app does not run its newest release or commit. */
export function ReleaseNotices({ app, history, isPushOn, onSent }: ReleaseNoticesProps) {
  const pin = history[0]?.appPin;
  const cancelled =
    app.status === 'synced' && !isHibernated(app.values) ? cancelledUpdate(history) : undefined;
  return (
    <>
      {cancelled !== undefined && (
        <Notice tone="idle">{MESSAGES.cancelled(cancelled.release, cancelled.serving)}</Notice>
      )}
      {pin !== undefined && isPushOn !== undefined && (
        <PinNotice app={app} pin={pin} isPushOn={isPushOn} onSent={onSent} />
      )}
    </>
  );
}

type PinNoticeProps = { app: AppResource; pin: Pin; isPushOn: boolean; onSent(): void };

/** Resume is also a command of the palette. */
function PinNotice({ app, pin, isPushOn, onSent }: PinNoticeProps) {
  const { releases } = useServices();
  const { isBusy, send } = useRequest(releases.resume);
  const toast = useToast();
  const { headline, details } = pinTexts(app.values, pin, isPushOn);

  async function resume(): Promise<void> {
    const result = await send(app.id);
    if (result.ok) onSent();
    else toast({ tone: 'bad', title: MESSAGES.resumeFailed, text: result.error.message });
  }

  const isDisabled = app.status === 'syncing';
  useRegisterCommands(
    isDisabled || isBusy
      ? []
      : [{ label: MESSAGES.resumeOf(app.values.name), run: () => void resume() }],
  );
  return (
    <Notice tone="idle">
      <p className="font-medium wrap-anywhere text-text">{headline}</p>
      <p className="mt-0.5 wrap-anywhere">{details}</p>
      <div className="mt-3">
        <Button size="small" isDisabled={isDisabled} isBusy={isBusy} onClick={() => void resume()}>
          {MESSAGES.resume}
        </Button>
      </div>
    </Notice>
  );
}
