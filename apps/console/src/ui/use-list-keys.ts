import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { activeAfter } from './active-option.ts';

type ListWish = {
  count: number;
  /** -1: none until an arrow is pressed. */
  first: 0 | -1;
  onChoose(at: number): void;
};

export type ListKeys = ReturnType<typeof useListKeys>;

/** The keys of a list below a text field: the focus stays in the field, the arrows move through the list. */
export function useListKeys({ count, first, onChoose }: ListWish) {
  const listId = useId();
  const [wished, setActive] = useState<number>(first);
  const active = Math.min(wished, count - 1);
  const optionId = (at: number) => `${listId}-${at}`;
  const activeId = active < 0 ? undefined : optionId(active);

  useEffect(() => {
    if (activeId !== undefined)
      document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  function onKeyDown(event: KeyboardEvent): void {
    const next = activeAfter(event.key, active, count);
    if (next !== undefined) setActive(next);
    else if (event.key === 'Enter' && active >= 0) onChoose(active);
    else return;
    event.preventDefault();
  }

  return { listId, optionId, active, activeId, onKeyDown, beginAgain: () => setActive(first) };
}
