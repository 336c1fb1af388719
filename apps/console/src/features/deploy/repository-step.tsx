import { Button } from '../../ui/button.tsx';
import { DialogFooter } from '../../ui/dialog-footer.tsx';
import { MESSAGES } from './messages.ts';

type RepositoryStepProps = { onBack(): void; onManual(): void };

/** Step 1. Listing a connected account's repositories comes with the integrations. */
export function RepositoryStep({ onBack, onManual }: RepositoryStepProps) {
  return (
    <>
      <p className="p-5 text-muted">{MESSAGES.repositoriesLater}</p>
      <DialogFooter>
        <Button onClick={onBack}>Back</Button>
        <Button kind="primary" onClick={onManual}>
          {MESSAGES.manual}
        </Button>
      </DialogFooter>
    </>
  );
}
