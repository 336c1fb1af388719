import { isTyping } from '../lib/is-typing.ts';

export type Overlay = 'nothing' | 'palette' | 'help';

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target'>;

/** What a press of a key opens. The palette opens from a text field, too. */
export function overlayOf(press: Press): Exclude<Overlay, 'nothing'> | undefined {
  const { key, ctrlKey, metaKey, altKey, target } = press;
  const isWithControl = ctrlKey || metaKey;
  if (key.toLowerCase() === 'k' && isWithControl && !altKey) return 'palette';
  if (key === '?' && !isWithControl && !isTyping(target)) return 'help';
  return undefined;
}
