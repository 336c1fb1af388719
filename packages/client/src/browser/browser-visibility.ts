import type { Visibility } from '../ports.ts';

export const browserVisibility: Visibility = {
  isVisible: () => document.visibilityState === 'visible',
  listen(listener) {
    document.addEventListener('visibilitychange', listener);
    return () => document.removeEventListener('visibilitychange', listener);
  },
};
