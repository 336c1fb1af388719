import { Button } from '../../ui/button.tsx';
import { TRY_AGAIN } from '../../ui/texts.ts';
import { MESSAGES } from './messages.ts';

type AskAgainProps = { title: string; message: string; onPress(): void };

export function AskAgain({ title, message, onPress }: AskAgainProps) {
  return (
    <div className="grid justify-items-start gap-2 px-4 py-3">
      <p role="alert" className="text-muted">
        {MESSAGES.failed(title, message)}
      </p>
      <Button size="small" onClick={onPress}>
        {TRY_AGAIN}
      </Button>
    </div>
  );
}
