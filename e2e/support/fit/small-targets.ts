import type { Box, Control } from './controls.ts';

/** Fractional positions lose up to a pixel to rounding. */
const ROUNDING_PX = 1;

/** Controls that are too small for touch, unless there is enough free space around them. */
export function smallTargets(controls: Control[], minPx: number): Control[] {
  const targets = controls.filter(({ isInText }) => !isInText);
  return targets.filter(
    (control) =>
      isSmall(control, minPx) &&
      targets.some((other) => other !== control && isWithin(other.box, control.box, minPx / 2)),
  );
}

function isSmall({ box, hit }: Control, minPx: number): boolean {
  const width = Math.max(box.width, hit.width);
  const height = Math.max(box.height, hit.height);
  return Math.min(width, height) < minPx - ROUNDING_PX;
}

/** Whether a box is closer than this distance to the center of another one. */
function isWithin(box: Box, other: Box, distancePx: number): boolean {
  const [x, y] = [other.x + other.width / 2, other.y + other.height / 2];
  const nearestX = Math.min(Math.max(x, box.x), box.x + box.width);
  const nearestY = Math.min(Math.max(y, box.y), box.y + box.height);
  return Math.hypot(x - nearestX, y - nearestY) < distancePx;
}
