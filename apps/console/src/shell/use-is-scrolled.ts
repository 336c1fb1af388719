import { HEADER_SCROLL_THRESHOLD_PX } from '@longshore/contract';
import { useEffect, useState } from 'react';

/** Whether the page is scrolled by more than 10 px (spec-map 4.3). */
export function useIsScrolled(): boolean {
  // Read on scroll events, not on every render: reading `scrollY` forces a layout.
  const [isScrolled, setScrolled] = useState(isBeyondThreshold);
  useEffect(() => {
    const update = () => setScrolled(isBeyondThreshold());
    window.addEventListener('scroll', update, { passive: true });
    return () => window.removeEventListener('scroll', update);
  }, []);
  return isScrolled;
}

function isBeyondThreshold(): boolean {
  return window.scrollY > HEADER_SCROLL_THRESHOLD_PX;
}
