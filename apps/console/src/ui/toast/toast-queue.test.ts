import { describe, expect, it } from 'vitest';
import { createToastQueue } from './toast-queue.ts';

describe('toasts', () => {
  it('are shown one at a time: a new one replaces the old one', () => {
    const queue = createToastQueue();
    queue.show({ title: 'first' });
    queue.show({ title: 'second', tone: 'bad' });
    expect(queue.state()).toEqual({ id: 2, title: 'second', tone: 'bad' });
  });

  it('are dismissed by their own id only', () => {
    const queue = createToastQueue();
    queue.show({ title: 'first' });
    queue.show({ title: 'second' });
    queue.dismiss(1);
    expect(queue.state()?.title).toBe('second');
    queue.dismiss(2);
    expect(queue.state()).toBeUndefined();
  });
});
