import type { Delivery } from '@longshore/contract';

const SHORT_COMMIT = 7;

/** `push main 3f2a91c`: what happened, to which ref, with which commit. */
export function deliveryTitle({ event, ref, commit }: Delivery): string {
  const shortRef = ref?.replace(/^refs\/(?:heads|tags)\//, '');
  return [event, shortRef, commit?.slice(0, SHORT_COMMIT)].filter(Boolean).join(' ');
}
