import type { Page } from 'playwright-core';

export type Box = { x: number; y: number; width: number; height: number };

/** Something that can be pressed or typed into. */
export type Control = {
  html: string;
  /** Where it is on the screen. */
  box: Box;
  /** Its size with what around it presses it too, as the card around a link does, up to what a thumb needs. */
  hit: { width: number; height: number };
  /** A word of a sentence is as high as its line. */
  isInText: boolean;
  /** Whether a person can scroll to it, see its whole width and press it. */
  isReached: boolean;
};

/** Those of what lies on top: of the dialog or the menu, or else of the whole page. */
export async function controlsOf(page: Page, hitPx: number): Promise<Control[]> {
  await showOpener(page);
  return await page.evaluate((enoughPx) => {
    const PRESSED =
      'a[href], button, input, select, textarea, summary, [role="menuitem"], [role="option"]';
    /** They go by themselves, and by a swipe. */
    const TOASTS = 'ol:has([data-swipe-direction])';
    const reachPx = enoughPx / 2 - 1;
    const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"]';
    const top = [...document.querySelectorAll(OVERLAYS)].at(-1) ?? document.body;
    const found = [...top.querySelectorAll<HTMLElement>(PRESSED)].map(shownAs).filter(isShown);
    const elements = [...new Set(found)];
    // Before anything is scrolled, so that they lie to each other as they do on the screen.
    const boxes = elements.map((element) => element.getBoundingClientRect().toJSON() as Box);
    const controls = elements.map((element, at) => ({ ...look(element), box: boxes[at] as Box }));
    scrollTo(0, 0);
    return controls;

    /** An input that only screen readers see is pressed by its label. */
    function shownAs(element: HTMLElement): HTMLElement {
      const { width, height } = element.getBoundingClientRect();
      const label = width <= 1 && height <= 1 && element.closest('label');
      return label || element;
    }

    function isShown(element: HTMLElement): boolean {
      const { width, height } = element.getBoundingClientRect();
      const waitForFailure = element.closest('[aria-hidden="true"]') === null;
      return waitForFailure && width > 1 && height > 1 && element.checkVisibility();
    }

    function look(element: HTMLElement) {
      const isReached = scrolledTo(element);
      const { width, height } = element.getBoundingClientRect();
      return {
        html: element.outerHTML.slice(0, 160),
        hit: {
          width: isHit(element, reachPx, 0) ? enoughPx : width,
          height: isHit(element, 0, reachPx) ? enoughPx : height,
        },
        isInText: isInText(element),
        isReached,
      };
    }

    /** As a person scrolls: what hides the rest of it without a way to scroll stays as it is. */
    function scrolledTo(element: HTMLElement): boolean {
      element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      for (let at = element.parentElement; at !== null; at = at.parentElement) {
        if (getComputedStyle(at).overflowY !== 'hidden') continue;
        if (at !== document.body && at.scrollTop !== 0) at.scrollTop = 0;
      }
      const { left, right } = element.getBoundingClientRect();
      return left > -1 && right < innerWidth + 1 && answers(element);
    }

    function isHit(element: HTMLElement, awayX: number, awayY: number): boolean {
      return answers(element, awayX, awayY) && answers(element, -awayX, -awayY);
    }

    /** Whether a press so far from its middle is one of it. */
    function answers(element: HTMLElement, awayX = 0, awayY = 0): boolean {
      const { x, y, width, height } = element.getClientRects()[0] ?? new DOMRect();
      const hit = document
        .elementsFromPoint(x + width / 2 + awayX, y + height / 2 + awayY)
        .find((it) => element.contains(it) || it.closest(TOASTS) === null);
      if (hit === undefined) return false;
      return element.contains(hit) || hit.closest('label')?.control === element;
    }

    function isInText(element: HTMLElement): boolean {
      const around = element.parentElement?.textContent.trim().length ?? 0;
      return (
        getComputedStyle(element).display === 'inline' && around > element.textContent.trim().length
      );
    }
  }, hitPx);
}

/** A menu goes where its button goes. */
async function showOpener(page: Page): Promise<void> {
  await page.evaluate(async () => {
    document.querySelector('[aria-expanded="true"]')?.scrollIntoView({ block: 'center' });
    // It follows in the frame after.
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  });
}
