import { HEADER_SCROLL_THRESHOLD_PX } from '@longshore/contract';
import { useEffect, useState } from 'react';

/** Spec §4, Interface states: scrolled more than 10 px. */
export function useIsScrolled(): boolean {
  // Asked as it scrolls, not at each render: the answer makes the browser lay out the page at once.
  const [isScrolled, setScrolled] = useState(isBeyond);
  useEffect(() => {
    const look = () => setScrolled(isBeyond());
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  return isScrolled;
}

function isBeyond(): boolean {
  return window.scrollY > HEADER_SCROLL_THRESHOLD_PX;
}
