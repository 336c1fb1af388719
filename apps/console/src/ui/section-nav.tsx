import { type RefObject, useEffect, useState } from 'react';

type SectionNavProps = { label: string; area: RefObject<HTMLElement | null> };

/** Beside a long form on wide screens: the headings of its cards, of which some may appear later. */
export function SectionNav({ label, area }: SectionNavProps) {
  const headings = useHeadings(area);
  function show(heading: HTMLElement) {
    heading.closest('section')?.scrollIntoView({ block: 'start' });
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
  return (
    <nav aria-label={label} className="sticky top-20 -ml-2.5 max-lg:hidden">
      <ul className="grid gap-0.5">
        {headings.map((heading) => (
          <li key={heading.id}>
            <button
              type="button"
              className="w-full rounded-md px-2.5 py-1.5 text-left text-muted hover:bg-hover hover:text-text"
              onClick={() => show(heading)}
            >
              {heading.textContent}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function useHeadings(area: RefObject<HTMLElement | null>): HTMLElement[] {
  const [headings, setHeadings] = useState<HTMLElement[]>([]);
  useEffect(() => {
    const element = area.current;
    if (element === null) return;
    function read() {
      const found = [...(element?.querySelectorAll<HTMLElement>('section > header h2') ?? [])];
      setHeadings((before) =>
        before.length === found.length && before.every((heading, at) => heading === found[at])
          ? before
          : found,
      );
    }
    read();
    const observer = new MutationObserver(read);
    observer.observe(element, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [area]);
  return headings;
}
