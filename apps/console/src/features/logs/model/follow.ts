export type ScrollPlace = { top: number; height: number; visible: number };

const AT_END_PX = 8;

/** Following ends only when somebody scrolls up, and begins again at the end. New lines never end it. */
export function followsAfterScroll(
  isFollowing: boolean,
  lastTop: number,
  place: ScrollPlace,
): boolean {
  if (isAtEnd(place)) return true;
  return place.top < lastTop ? false : isFollowing;
}

function isAtEnd({ top, height, visible }: ScrollPlace): boolean {
  return height - top - visible <= AT_END_PX;
}
