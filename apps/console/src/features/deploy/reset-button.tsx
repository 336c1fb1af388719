import { Button } from '../../ui/button.tsx';
import { MESSAGES } from './messages.ts';

/** Begins anew, and forgets the draft. */
export function ResetButton({ onReset }: { onReset(): void }) {
  return (
    <Button kind="ghost" onClick={onReset}>
      {MESSAGES.reset}
    </Button>
  );
}
