import { useState } from 'react';
import { useServices, useUser } from '../../client/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Pill } from '../../ui/pill.tsx';
import { MESSAGES } from './messages.ts';
import { SetUpDialog } from './set-up-dialog.tsx';
import { TurnOffDialog } from './turn-off-dialog.tsx';

const { authenticator: TEXTS } = MESSAGES;

/** The second factor after the password. */
export function AuthenticatorCard() {
  const { account } = useServices();
  const isOn = useUser().activeMfaType === 'totp';
  const [isOpen, setOpen] = useState(false);

  const Dialog = isOn ? TurnOffDialog : SetUpDialog;
  return (
    <Card title={TEXTS.title} actions={<Pill>{isOn ? TEXTS.on : TEXTS.off}</Pill>}>
      <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
        <p className="min-w-0 flex-1 basis-56 text-muted">{TEXTS.text}</p>
        <Button size="small" onClick={() => setOpen(true)}>
          {isOn ? TEXTS.turnOff : TEXTS.setUp}
        </Button>
      </div>
      {isOpen && (
        <Dialog
          onClose={() => setOpen(false)}
          onChanged={async () => void (await account.currentUser())}
        />
      )}
    </Card>
  );
}
