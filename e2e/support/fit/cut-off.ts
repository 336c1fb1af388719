import type { Page } from 'playwright-core';

/** What can be scrolled sideways: the page, or a part of it. Lines of a log and code may, as their breaks mean something. */
export async function scrolledSideways(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const elements = [document.documentElement, ...document.body.querySelectorAll('*')];
    return elements
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && canScroll(element))
      .map((element) => element.outerHTML.slice(0, 160));

    function canScroll(element: Element): boolean {
      if (element === document.documentElement) return true;
      const { overflowX } = getComputedStyle(element);
      const isCode = element.matches('[role="log"], pre');
      return !isCode && (overflowX === 'auto' || overflowX === 'scroll');
    }
  });
}

/** Text that ends before its end, and no `title` says it whole. */
export async function cutOff(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const elements = [...document.body.querySelectorAll<HTMLElement>('*')];
    return elements
      .filter((element) => element.checkVisibility() && isCut(element) && !isToldWhole(element))
      .map((element) => element.outerHTML.slice(0, 160));

    function isCut(element: HTMLElement): boolean {
      if (element.clientWidth <= 1 || element.matches('input, select, textarea, svg *'))
        return false;
      const { overflowX, overflowY } = getComputedStyle(element);
      const isNarrow = element.scrollWidth > element.clientWidth + 1;
      const isLow = element.scrollHeight > element.clientHeight + 1;
      return (isNarrow && isHidden(overflowX)) || (isLow && isHidden(overflowY));
    }

    function isHidden(overflow: string): boolean {
      return overflow === 'hidden' || overflow === 'clip';
    }

    function isToldWhole(element: HTMLElement): boolean {
      return element.closest('[title]') !== null || element.querySelector('[title]') !== null;
    }
  });
}
