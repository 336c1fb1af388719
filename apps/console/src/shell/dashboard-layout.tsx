import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { followAppearance } from '../lib/appearance.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { PageFailed } from '../ui/page-failed.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';
import { ConnectionPill } from './connection-pill.tsx';
import { MESSAGES } from './messages.ts';
import { Overlays } from './overlays.tsx';
import { TopBar } from './top-bar.tsx';
import { useOverlay } from './use-overlay.ts';
import { useScrollAndFocusReset } from './use-scroll-and-focus-reset.ts';

type DashboardLayoutProps = { onSignOut(): void; children: ReactNode };

export function DashboardLayout({ onSignOut, children }: DashboardLayoutProps) {
  const content = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useScrollAndFocusReset(content);
  useEffect(followAppearance, []);
  const [overlay, setOverlay] = useOverlay();
  return (
    <TooltipProvider>
      <div className="flex min-h-dvh flex-col">
        <a
          href="#content"
          className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-box focus:bg-raised focus:px-3 focus:py-2 focus:shadow-float"
        >
          {MESSAGES.skip}
        </a>
        <TopBar onSignOut={onSignOut} onOpenPalette={() => setOverlay('palette')} />
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
        <Overlays overlay={overlay} onClose={() => setOverlay('none')} onSignOut={onSignOut} />
      </div>
    </TooltipProvider>
  );
}
