import { clsx } from 'clsx';
import { useEffect, useRef, useState } from 'react';
import { NavLink, useLocation } from 'react-router';

export type TabMark = { tone: 'busy' | 'bad'; label: string };
export type TabLink = { label: string; to: string; mark?: TabMark | undefined };

type TabBarProps = { label: string; tabs: TabLink[] };

/** Links to the parts of a page, each with its own URL. Scrolls sideways on small screens; a fade marks a hidden end. */
export function TabBar({ label, tabs }: TabBarProps) {
  const list = useRef<HTMLUListElement>(null);
  const hidden = useHiddenEnds(list);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after another tab was opened
  useEffect(() => {
    const current = list.current?.querySelector('[aria-current]');
    current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  return (
    <nav
      aria-label={label}
      className="relative -mt-2 mb-5 border-b border-line max-sm:-mx-4 max-sm:px-1.5"
    >
      <ul
        ref={list}
        data-tab-bar
        className="-mx-2.5 flex gap-1 overflow-x-auto [scrollbar-width:none] max-sm:mx-0"
      >
        {tabs.map(({ label: text, to, mark }) => (
          <li key={to} className="shrink-0">
            <NavLink
              to={to}
              end
              className="relative flex h-10 items-center gap-1.5 rounded-md px-2.5 font-medium whitespace-nowrap text-muted before:absolute before:inset-x-2.5 before:bottom-0 before:h-0.5 before:rounded-t-sm hover:text-text focus-visible:-outline-offset-2 aria-[current]:text-text aria-[current]:before:bg-accent"
            >
              {text}
              {mark !== undefined && (
                <>
                  <span
                    aria-hidden="true"
                    className={clsx(
                      'size-2 rounded-full',
                      mark.tone === 'bad' ? 'bg-bad' : 'animate-pulse bg-busy',
                    )}
                  />
                  <span className="sr-only">{mark.label}</span>
                </>
              )}
            </NavLink>
          </li>
        ))}
      </ul>
      {hidden.start && <Fade className="left-0 bg-linear-to-l" />}
      {hidden.end && <Fade className="right-0 bg-linear-to-r" />}
    </nav>
  );
}

function Fade({ className }: { className: string }) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'pointer-events-none absolute inset-y-0 w-8 from-transparent to-page',
        className,
      )}
    />
  );
}

/** Which ends of a scrolling list are out of sight. */
function useHiddenEnds(list: React.RefObject<HTMLElement | null>) {
  const [hidden, setHidden] = useState({ start: false, end: false });
  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    function update() {
      if (element === null) return;
      const start = element.scrollLeft > 1;
      const end = element.scrollLeft + element.clientWidth < element.scrollWidth - 1;
      setHidden((before) =>
        before.start === start && before.end === end ? before : { start, end },
      );
    }
    const sizes = new ResizeObserver(update);
    sizes.observe(element);
    element.addEventListener('scroll', update, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', update);
    };
  }, [list]);
  return hidden;
}
