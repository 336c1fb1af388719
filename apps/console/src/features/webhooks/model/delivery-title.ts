import type { Delivery } from '@longshore/contract';

const SHORT_COMMIT_LENGTH = 7;

/** Event, ref and commit, such as `push main 3f2a91c`. */
export function deliveryTitle({ event, ref, commit }: Delivery): string {
  const shortRef = ref?.replace(/^refs\/(?:heads|tags)\//, '');
  return [event, shortRef, commit?.slice(0, SHORT_COMMIT_LENGTH)].filter(Boolean).join(' ');
}
