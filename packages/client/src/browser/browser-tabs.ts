import type { TabChannel } from '../ports.ts';

const CHANNEL_NAME = 'longshore-session';

/** Nothing where the browser cannot reach its other tabs; they then meet in the storage only. */
export function browserTabs(): TabChannel | undefined {
  if (typeof BroadcastChannel === 'undefined') return undefined;
  const channel = new BroadcastChannel(CHANNEL_NAME);
  return {
    post: (message) => channel.postMessage(message),
    listen(listener) {
      const receive = ({ data }: MessageEvent) => listener(data);
      channel.addEventListener('message', receive);
      return () => channel.removeEventListener('message', receive);
    },
    close: () => channel.close(),
  };
}
