import { createStore, type Observable } from '@longshore/client';

export type ToastTone = 'plain' | 'bad';
export type Toast = { id: number; tone: ToastTone; title: string; text?: string };
export type ToastOptions = Omit<Toast, 'id' | 'tone'> & { tone?: ToastTone };

export type ToastQueue = Observable<Toast | undefined> & {
  show(options: ToastOptions): void;
  dismiss(id: number): void;
};

/** One toast at a time: a new one replaces the old one (spec-map 9.3.18). */
export function createToastQueue(): ToastQueue {
  const shown = createStore<Toast | undefined>(undefined);
  let lastId = 0;
  return {
    state: shown.state,
    subscribe: shown.subscribe,
    show({ tone = 'plain', ...options }) {
      lastId += 1;
      shown.set({ ...options, tone, id: lastId });
    },
    dismiss(id) {
      if (shown.state()?.id === id) shown.set(undefined);
    },
  };
}
