import { useEffect } from 'react';
import { isTyping } from '../lib/is-typing.ts';
import { hasOpenDialog } from '../lib/open-dialog.ts';
import { usePageState } from './use-page-state.ts';

export type Overlay = 'none' | 'palette' | 'help';

/** The overlay on the current page. Ctrl or ⌘ K opens the command palette, `?` the keyboard help. */
export function useOverlay(): [Overlay, (overlay: Overlay) => void] {
  const [overlay, setOverlay] = usePageState<Overlay>('none');
  useEffect(() => {
    function handleKey(event: KeyboardEvent) {
      const requested = overlayOf(event);
      if (requested === undefined) return;
      // Also if nothing opens: browsers use Ctrl+K for their address bar, which would get the next keys.
      event.preventDefault();
      // No overlay opens above a dialog.
      if (!hasOpenDialog()) setOverlay(requested);
    }
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, [setOverlay]);
  return [overlay, setOverlay];
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target'>;

/** The overlay that a key press opens. The palette also opens from a text field. */
export function overlayOf(press: KeyPress): Exclude<Overlay, 'none'> | undefined {
  const { key, ctrlKey, metaKey, altKey, target } = press;
  const isWithControl = ctrlKey || metaKey;
  if (key.toLowerCase() === 'k' && isWithControl && !altKey) return 'palette';
  if (key === '?' && !isWithControl && !isTyping(target)) return 'help';
  return undefined;
}
