import type { Page } from 'playwright-core';

/**
 * Elements with horizontal overflow. Logs and code may scroll, because their line breaks are significant, and the tab bar of a
 * page, because it fades at the hidden end and shows the current tab.
 */
export async function horizontalOverflow(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const elements = [document.documentElement, ...document.body.querySelectorAll('*')];
    return elements
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && canScroll(element))
      .map((element) => element.outerHTML.slice(0, 160));

    function canScroll(element: Element): boolean {
      if (element === document.documentElement) return true;
      const { overflowX } = getComputedStyle(element);
      const mayScroll = element.matches('[role="log"], pre, [data-tab-bar]');
      return !mayScroll && (overflowX === 'auto' || overflowX === 'scroll');
    }
  });
}

/** Truncated text without a `title` that shows all of it. */
export async function truncatedText(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const elements = [...document.body.querySelectorAll<HTMLElement>('*')];
    return elements
      .filter((element) => element.checkVisibility() && isTruncated(element) && !hasTitle(element))
      .map((element) => element.outerHTML.slice(0, 160));

    function isTruncated(element: HTMLElement): boolean {
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

    function hasTitle(element: HTMLElement): boolean {
      return element.closest('[title]') !== null || element.querySelector('[title]') !== null;
    }
  });
}
