import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { DISCARD, DISCARD_QUESTION, UNSAVED_CHANGES } from './texts.ts';
import { useLeaveGuard } from './use-leave-guard.ts';

/** Asks before unsaved changes on a page are lost: by a link, Back, Forward, or closing the tab. */
export function LeaveQuestion({ hasChanges }: { hasChanges: boolean }) {
  const navigate = useNavigate();
  const [leave, setLeave] = useState<() => void>();
  useLeaveGuard(hasChanges, (next) => setLeave(() => next));

  useEffect(() => {
    if (!hasChanges) return;
    function hold(event: MouseEvent) {
      const path = followedPath(event);
      if (path === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      setLeave(() => () => void navigate(path));
    }
    // Before React handles the click.
    document.addEventListener('click', hold, { capture: true });
    return () => document.removeEventListener('click', hold, { capture: true });
  }, [hasChanges, navigate]);

  useEffect(() => {
    // They have been saved meanwhile.
    if (hasChanges || leave === undefined) return;
    setLeave(undefined);
    leave();
  }, [hasChanges, leave]);

  return (
    <ConfirmDialog
      isOpen={leave !== undefined}
      onOpenChange={() => setLeave(undefined)}
      title={DISCARD_QUESTION}
      confirmLabel={DISCARD}
      isBusy={false}
      onConfirm={() => {
        setLeave(undefined);
        leave?.();
      }}
    >
      <p>{UNSAVED_CHANGES}</p>
    </ConfirmDialog>
  );
}

/** The path of the console that a click on a link opens in this tab; undefined for every other click. */
function followedPath(event: MouseEvent): string | undefined {
  const isPlain =
    event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (!isPlain || !(link instanceof HTMLAnchorElement) || link.target === '_blank')
    return undefined;
  const { origin, pathname, search, hash } = new URL(link.href);
  const isElsewhere = origin === window.location.origin && pathname !== window.location.pathname;
  return isElsewhere ? pathname + search + hash : undefined;
}
