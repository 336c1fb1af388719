/** What the systems that people use allow between the two. */
const DOUBLE_CLICK_MS = 500;

/** Whether a press that came after another is its second half. */
export function isDoubleClick(firstMs: number, secondMs: number): boolean {
  return secondMs - firstMs <= DOUBLE_CLICK_MS;
}
