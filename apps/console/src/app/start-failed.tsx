import { Button } from '../ui/button.tsx';
import { Logo } from '../ui/logo.tsx';
import { TRY_AGAIN } from '../ui/texts.ts';
import { MESSAGES } from './messages.ts';

/** Shown if the configuration cannot be loaded from the server. */
export function StartFailed({ onRetry }: { onRetry(): void }) {
  const { title, text } = MESSAGES.startFailed;
  return (
    <main className="grid min-h-dvh content-center justify-items-center gap-2 px-4 text-center">
      <Logo className="mb-3 size-10 text-faint" />
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      <p className="text-muted">{text}</p>
      <Button className="mt-4" onClick={onRetry}>
        {TRY_AGAIN}
      </Button>
    </main>
  );
}
