import { type KeyboardEvent, useEffect, useId, useState } from 'react';

type ListKeysOptions = {
  count: number;
  /** -1: no option is active until an arrow key is pressed. */
  first: 0 | -1;
  onChoose(index: number): void;
};

export type ListKeys = ReturnType<typeof useListKeys>;

/** Keyboard control of a list below a text field: the field keeps the focus, the arrow keys move through the list. */
export function useListKeys({ count, first, onChoose }: ListKeysOptions) {
  const listId = useId();
  const [requested, setActive] = useState<number>(first);
  const active = Math.min(requested, count - 1);
  const optionId = (index: number) => `${listId}-${index}`;
  const activeId = active < 0 ? undefined : optionId(active);

  useEffect(() => {
    if (activeId !== undefined)
      document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  function onKeyDown(event: KeyboardEvent): void {
    const next = nextActiveOption(event.key, active, count);
    if (next !== undefined) setActive(next);
    else if (event.key === 'Enter' && active >= 0) onChoose(active);
    else return;
    event.preventDefault();
  }

  return { listId, optionId, active, activeId, onKeyDown, resetActive: () => setActive(first) };
}

/** The option that a key moves to; undefined for other keys. Wraps around at both ends. */
export function nextActiveOption(key: string, active: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return active + 1 >= count ? 0 : active + 1;
  if (key === 'ArrowUp') return active <= 0 ? count - 1 : active - 1;
  return undefined;
}
