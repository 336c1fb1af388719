import { type ReactNode, type RefObject, Suspense, useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { useConnection } from '../client/session-context.tsx';
import { followAppearance } from '../lib/appearance.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { PageFailed } from '../ui/page-failed.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';
import { askToLeave } from '../ui/use-leave-guard.ts';
import { KeyboardHelp } from './keyboard-help.tsx';
import { MESSAGES } from './messages.ts';
import { PaletteDialog } from './palette/palette-dialog.tsx';
import { TopBar } from './top-bar.tsx';
import { useOverlay } from './use-overlay.ts';

type DashboardLayoutProps = { onSignOut(): void; children: ReactNode };

export function DashboardLayout({ onSignOut, children }: DashboardLayoutProps) {
  const content = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useScrollAndFocusReset(content);
  useEffect(followAppearance, []);
  const [overlay, setOverlay] = useOverlay();
  const closeOverlay = () => setOverlay('none');
  const signOut = () => askToLeave(() => onSignOut());
  return (
    <TooltipProvider>
      <div className="flex min-h-dvh flex-col">
        <a
          href="#content"
          className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-box focus:bg-raised focus:px-3 focus:py-2 focus:shadow-float"
        >
          {MESSAGES.skip}
        </a>
        <TopBar onSignOut={signOut} onOpenPalette={() => setOverlay('palette')} />
        <main
          ref={content}
          id="content"
          tabIndex={-1}
          className="mx-auto w-full max-w-7xl flex-1 px-4 max-sm:min-h-[calc(100dvh-4rem)] pt-6 pb-16 outline-none sm:px-6"
        >
          <ErrorBoundary resetKey={pathname} fallback={<PageFailed />}>
            <Suspense>{children}</Suspense>
          </ErrorBoundary>
        </main>
        <footer className="mx-auto w-full max-w-7xl px-4 pb-6 text-xs text-faint sm:px-6">
          {MESSAGES.footer}
        </footer>
        <ConnectionPill />
        {/* Not loaded lazily: the keys typed after Ctrl+K would reach the page instead of the palette. */}
        {overlay === 'palette' && <PaletteDialog onClose={closeOverlay} onSignOut={signOut} />}
        {overlay === 'help' && <KeyboardHelp onClose={closeOverlay} />}
      </div>
    </TooltipProvider>
  );
}

/** Shown while the live query reconnects. */
function ConnectionPill() {
  const connection = useConnection();
  return (
    <div role="status" className="fixed bottom-4 left-1/2 z-30 -translate-x-1/2">
      {connection === 'reconnecting' && (
        <span className="inline-flex h-8 animate-rise items-center gap-2 rounded-full border border-line bg-raised px-3 text-muted shadow-float">
          <Spinner className="size-3.5" />
          {MESSAGES.reconnecting}
        </span>
      )}
    </div>
  );
}

/**
 * Scrolls to the top after a navigation; for Back and Forward the browser restores the position. Focuses the content if
 * the focused element disappeared with the previous page.
 */
function useScrollAndFocusReset(content: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const navigation = useNavigationType();
  const previousPath = useRef(pathname);
  useEffect(() => {
    if (previousPath.current === pathname) return;
    previousPath.current = pathname;
    if (navigation === 'PUSH') window.scrollTo(0, 0);
    if (document.activeElement === document.body) content.current?.focus({ preventScroll: true });
  }, [pathname, navigation, content]);
}
