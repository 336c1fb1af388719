import { type IntegrationResource, type Repository, ROUTES } from '@longshore/contract';
import { Link } from 'react-router';
import { Button } from '../../ui/button.tsx';
import { DialogFooter } from '../../ui/dialog-footer.tsx';
import { Notice } from '../../ui/notice.tsx';
import { BACK } from '../../ui/texts.ts';
import { MESSAGES } from './messages.ts';
import { RepositoryPicker } from './repository-picker.tsx';

type RepositoryStepProps = {
  /** Undefined when it was removed since it was chosen. */
  integration: IntegrationResource | undefined;
  onBack(): void;
  onManual(): void;
  onChoose(repository: Repository): void;
};

/** Step 1: pick a repository, with a search box. */
export function RepositoryStep({ integration, onBack, onManual, onChoose }: RepositoryStepProps) {
  return (
    <>
      <div className="flex min-h-0 flex-col gap-3 p-5">
        {integration?.values.state === 'reconnect' && (
          <Notice tone="busy">
            {MESSAGES.accessEnded}{' '}
            <Link to={ROUTES.integrations} className="rounded font-medium underline">
              {MESSAGES.reconnect}
            </Link>
          </Notice>
        )}
        {integration === undefined ? (
          <Notice tone="idle">{MESSAGES.integrationGone}</Notice>
        ) : (
          <RepositoryPicker integrationId={integration.id} onChoose={onChoose} />
        )}
      </div>
      <DialogFooter>
        <Button kind="ghost" onClick={onManual}>
          {MESSAGES.manual}
        </Button>
        <Button onClick={onBack}>{BACK}</Button>
      </DialogFooter>
    </>
  );
}
