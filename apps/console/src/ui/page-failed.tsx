import { Button } from './button.tsx';

export function PageFailed() {
  return (
    <div
      role="alert"
      className="grid min-h-[70dvh] content-center justify-items-center gap-2 px-4 text-center"
    >
      <h1 className="text-xl font-semibold tracking-tight">This page cannot be shown</h1>
      <p className="text-muted">
        The server may be away, or has been updated. Nothing you did is lost.
      </p>
      <Button className="mt-4" onClick={() => window.location.reload()}>
        Try again
      </Button>
    </div>
  );
}
