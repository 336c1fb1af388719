import { Button } from './button.tsx';
import { PAGE_FAILED, PAGE_FAILED_TEXT, TRY_AGAIN } from './texts.ts';

export function PageFailed() {
  return (
    <div
      role="alert"
      className="grid min-h-[70dvh] content-center justify-items-center gap-2 px-4 text-center"
    >
      <h1 className="text-xl font-semibold tracking-tight">{PAGE_FAILED}</h1>
      <p className="text-muted">{PAGE_FAILED_TEXT}</p>
      <Button className="mt-4" onClick={() => window.location.reload()}>
        {TRY_AGAIN}
      </Button>
    </div>
  );
}
