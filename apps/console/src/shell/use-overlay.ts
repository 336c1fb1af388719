import { useEffect } from 'react';
import { type Overlay, overlayOf } from './overlay.ts';
import { usePageState } from './use-page-state.ts';

/** What lies over every page: the command palette, the help, or nothing. Ctrl or ⌘ K and `?` open them. */
export function useOverlay(): [Overlay, (overlay: Overlay) => void] {
  const [overlay, setOverlay] = usePageState<Overlay>('nothing');
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const wished = overlayOf(event);
      if (wished === undefined || hasDialog()) return;
      event.preventDefault();
      setOverlay(wished);
    }
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [setOverlay]);
  return [overlay, setOverlay];
}

/** A dialog keeps the keys to itself. */
function hasDialog(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
}
