import { Button } from '../ui/button.tsx';
import { Logo } from '../ui/logo.tsx';

/** The server did not answer before anything could be shown. */
export function StartFailed({ onRetry }: { onRetry(): void }) {
  return (
    <main className="grid min-h-dvh content-center justify-items-center gap-2 px-4 text-center">
      <Logo className="mb-3 size-10 text-faint" />
      <h1 className="text-xl font-semibold tracking-tight">Longshore does not answer</h1>
      <p className="text-muted">The server may be starting. Nothing you did is lost.</p>
      <Button className="mt-4" onClick={onRetry}>
        Try again
      </Button>
    </main>
  );
}
