import type { Repository } from '@longshore/contract';
import { useState } from 'react';
import { errorText } from '../../client/error-text.ts';
import { useServices } from '../../client/session-context.tsx';
import { useRequest } from '../../client/use-request.ts';
import { Button } from '../../ui/button.tsx';
import { MESSAGES } from './messages.ts';

type RepositoryLookupProps = {
  integrationId: string;
  name: string;
  onFound(repository: Repository): void;
};

/** For whoever knows the whole name of a repository that the account does not list. */
export function RepositoryLookup({ integrationId, name, onFound }: RepositoryLookupProps) {
  const { connect } = useServices();
  const { isBusy, send } = useRequest((asked: string) =>
    connect.validateRepository(integrationId, asked),
  );
  const [failure, setFailure] = useState<{ name: string; message: string }>();
  if (!/^[^/\s]+\/\S+$/.test(name)) return null;

  async function lookUp() {
    const answer = await send(name);
    if (answer.ok) onFound(answer.data);
    else setFailure({ name, message: errorText(answer.error) || MESSAGES.repositoriesFailed.text });
  }

  return (
    <div className="grid justify-items-start gap-2">
      {failure?.name === name && (
        <p role="alert" className="text-xs text-bad">
          {failure.message}
        </p>
      )}
      <Button size="small" isBusy={isBusy} onClick={() => void lookUp()}>
        {MESSAGES.lookUp(name)}
      </Button>
    </div>
  );
}
