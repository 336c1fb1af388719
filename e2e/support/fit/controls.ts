import type { Page } from 'playwright-core';

export type Box = { x: number; y: number; width: number; height: number };

/** An element that can be clicked or typed into. */
export type Control = {
  html: string;
  /** Its position on the screen. */
  box: Box;
  /**
   * Its size including the area around it that also activates it, such as a card around a link, up to the required
   * size.
   */
  hit: { width: number; height: number };
  /** A link inside a text is only as high as its line. */
  isInText: boolean;
  /** Whether a user can scroll to it, see its full width and click it. */
  isReachable: boolean;
};

/** The controls of the topmost layer: the dialog, the menu, or else the whole page. */
export async function controlsOf(page: Page, hitPx: number): Promise<Control[]> {
  await scrollToOpener(page);
  return await page.evaluate((requiredPx) => {
    const CONTROLS =
      'a[href], button, input, select, textarea, summary, [role="menuitem"], [role="option"]';
    /** Toasts disappear by themselves and can be swiped away. */
    const TOASTS = 'ol:has([data-swipe-direction])';
    const offsetPx = requiredPx / 2 - 1;
    const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"]';
    const top = [...document.querySelectorAll(OVERLAYS)].at(-1) ?? document.body;
    const found = [...top.querySelectorAll<HTMLElement>(CONTROLS)]
      .map(visibleElement)
      .filter(isVisible);
    const elements = [...new Set(found)];
    // Measured before scrolling, so that their relative positions are correct.
    const boxes = elements.map((element) => element.getBoundingClientRect().toJSON() as Box);
    const controls = elements.map((element, at) => ({
      ...measure(element),
      box: boxes[at] as Box,
    }));
    scrollTo(0, 0);
    return controls;

    /** A visually hidden input is clicked through its label. */
    function visibleElement(element: HTMLElement): HTMLElement {
      const { width, height } = element.getBoundingClientRect();
      const label = width <= 1 && height <= 1 && element.closest('label');
      return label || element;
    }

    function isVisible(element: HTMLElement): boolean {
      const { width, height } = element.getBoundingClientRect();
      const isAccessible = element.closest('[aria-hidden="true"]') === null;
      return isAccessible && width > 1 && height > 1 && element.checkVisibility();
    }

    function measure(element: HTMLElement) {
      const isReachable = isReachableByScrolling(element);
      const { width, height } = element.getBoundingClientRect();
      return {
        html: element.outerHTML.slice(0, 160),
        hit: {
          width: isHit(element, offsetPx, 0) ? requiredPx : width,
          height: isHit(element, 0, offsetPx) ? requiredPx : height,
        },
        isInText: isInText(element),
        isReachable,
      };
    }

    /** Scrolls as a user can: content clipped with `overflow: hidden` stays clipped. */
    function isReachableByScrolling(element: HTMLElement): boolean {
      element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      for (let at = element.parentElement; at !== null; at = at.parentElement) {
        if (getComputedStyle(at).overflowY !== 'hidden') continue;
        if (at !== document.body && at.scrollTop !== 0) at.scrollTop = 0;
      }
      const { left, right } = element.getBoundingClientRect();
      return left > -1 && right < innerWidth + 1 && receivesClick(element);
    }

    function isHit(element: HTMLElement, offsetX: number, offsetY: number): boolean {
      return receivesClick(element, offsetX, offsetY) && receivesClick(element, -offsetX, -offsetY);
    }

    /** Whether a click at this offset from its center hits it. */
    function receivesClick(element: HTMLElement, offsetX = 0, offsetY = 0): boolean {
      const { x, y, width, height } = element.getClientRects()[0] ?? new DOMRect();
      const point = [x + width / 2 + offsetX, y + height / 2 + offsetY] as const;
      const isConsidered = (it: Element) => element.contains(it) || it.closest(TOASTS) === null;
      const first = document.elementFromPoint(...point);
      // All elements at a point take far longer to find than the first one.
      const hit =
        first === null || isConsidered(first)
          ? first
          : document.elementsFromPoint(...point).find(isConsidered);
      if (!hit) return false;
      return element.contains(hit) || hit.closest('label')?.control === element;
    }

    function isInText(element: HTMLElement): boolean {
      const parentLength = element.parentElement?.textContent.trim().length ?? 0;
      return (
        getComputedStyle(element).display === 'inline' &&
        parentLength > element.textContent.trim().length
      );
    }
  }, hitPx);
}

/** Scrolls to the button of an open menu, because the menu moves with it. */
async function scrollToOpener(page: Page): Promise<void> {
  await page.evaluate(async () => {
    document.querySelector('[aria-expanded="true"]')?.scrollIntoView({ block: 'center' });
    // The menu moves in one of the next frames.
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  });
}
