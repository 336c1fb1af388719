/** The usual limit of operating systems. */
const DOUBLE_CLICK_MS = 500;

/** Whether two presses are close enough to be a double click. */
export function isDoubleClick(firstMs: number, secondMs: number): boolean {
  return secondMs - firstMs <= DOUBLE_CLICK_MS;
}
