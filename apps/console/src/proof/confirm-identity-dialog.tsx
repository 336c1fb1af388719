import type { ProofOption } from '@longshore/contract';
import { useId, useState } from 'react';
import { useSignOut } from '../client/use-auth.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DialogFooter } from '../ui/dialog-footer.tsx';
import { CANCEL } from '../ui/texts.ts';
import { MESSAGES } from './messages.ts';
import { ProofForm } from './proof-forms.tsx';

type ConfirmIdentityDialogProps = {
  options: ProofOption[];
  onProved(): void;
  onClose(): void;
};

/** Asks for a proof of identity. The first option is shown; the others are one press away. */
export function ConfirmIdentityDialog({ options, onProved, onClose }: ConfirmIdentityDialogProps) {
  const [option, setOption] = useState(options[0]);
  return (
    <Dialog isOpen onOpenChange={onClose} title={MESSAGES.title} description={MESSAGES.description}>
      {option === undefined ? (
        <SignInAgain onClose={onClose} />
      ) : (
        <ProofForm key={option} option={option} onProved={onProved} onClose={onClose}>
          <OtherOptions
            options={options.filter((other) => other !== option)}
            onChoose={setOption}
          />
        </ProofForm>
      )}
    </Dialog>
  );
}

type OtherOptionsProps = { options: ProofOption[]; onChoose(option: ProofOption): void };

function OtherOptions({ options, onChoose }: OtherOptionsProps) {
  const id = useId();
  if (options.length === 0) return null;
  return (
    <div className="grid gap-2 border-t border-line pt-4">
      <span id={id} className="text-xs text-muted">
        {MESSAGES.others}
      </span>
      <ul aria-labelledby={id} className="flex flex-wrap gap-2">
        {options.map((option) => (
          <li key={option}>
            <Button size="small" onClick={() => onChoose(option)}>
              {MESSAGES.instead[option]}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** For accounts that sign in with a phone number or a provider only. */
function SignInAgain({ onClose }: { onClose(): void }) {
  const signOut = useSignOut();
  return (
    <>
      <p className="p-5">{MESSAGES.noOptions}</p>
      <DialogFooter>
        <Button onClick={onClose}>{CANCEL}</Button>
        <Button kind="primary" onClick={() => void signOut()}>
          {MESSAGES.signOut}
        </Button>
      </DialogFooter>
    </>
  );
}
