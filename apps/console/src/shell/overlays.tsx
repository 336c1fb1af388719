import { Suspense } from 'react';
import { lazyScreen } from '../lib/lazy-screen.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import type { Overlay } from './use-overlay.ts';

const PaletteDialog = lazyScreen(() => import('./palette/palette-dialog.tsx'), 'PaletteDialog');
const KeyboardHelp = lazyScreen(() => import('./keyboard-help.tsx'), 'KeyboardHelp');

type OverlaysProps = { overlay: Overlay; onClose(): void; onSignOut(): void };

/** The code of an overlay is loaded when it is first opened. */
export function Overlays({ overlay, onClose, onSignOut }: OverlaysProps) {
  return (
    <ErrorBoundary fallback={null} resetKey={overlay}>
      <Suspense>
        {overlay === 'palette' && <PaletteDialog onClose={onClose} onSignOut={onSignOut} />}
        {overlay === 'help' && <KeyboardHelp onClose={onClose} />}
      </Suspense>
    </ErrorBoundary>
  );
}
