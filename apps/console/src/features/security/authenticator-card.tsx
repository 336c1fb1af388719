import { useState } from 'react';
import { useServices, useUser } from '../../client/session-context.tsx';
import { ProofGate } from '../../proof/proof-gate.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Pill } from '../../ui/pill.tsx';
import { CreateRecoveryCodesDialog } from './create-recovery-codes-dialog.tsx';
import { MESSAGES } from './messages.ts';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { type RecoveryCodeCount, RecoveryCodesRow } from './recovery-codes-row.tsx';
import { SetUpDialog } from './set-up-dialog.tsx';
import { TurnOffDialog } from './turn-off-dialog.tsx';

const { authenticator: TEXTS } = MESSAGES;

type Open =
  | { kind: 'nothing' | 'set-up' | 'turn-off' | 'create-codes' }
  | { kind: 'codes'; codes: string[] };

/** The second factor after the password, and its recovery codes. */
export function AuthenticatorCard({ count }: { count: RecoveryCodeCount }) {
  const { account } = useServices();
  const isOn = useUser().activeMfaType === 'totp';
  const [open, setOpen] = useState<Open>({ kind: 'nothing' });
  const close = () => setOpen({ kind: 'nothing' });

  function showCodes(codes: string[] | undefined) {
    setOpen(codes === undefined ? { kind: 'nothing' } : { kind: 'codes', codes });
    count.reload();
  }

  return (
    <Card title={TEXTS.title} actions={<Pill>{isOn ? TEXTS.on : TEXTS.off}</Pill>}>
      <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
        <p className="min-w-0 flex-1 basis-56 text-muted">{TEXTS.text}</p>
        <Button size="small" onClick={() => setOpen({ kind: isOn ? 'turn-off' : 'set-up' })}>
          {isOn ? TEXTS.turnOff : TEXTS.setUp}
        </Button>
      </div>
      {isOn && (
        <RecoveryCodesRow count={count} onCreate={() => setOpen({ kind: 'create-codes' })} />
      )}
      {open.kind === 'set-up' && (
        <ProofGate onCancel={close}>
          <SetUpDialog
            onClose={close}
            onTurnedOn={async (codes) => {
              await account.currentUser();
              showCodes(codes);
            }}
          />
        </ProofGate>
      )}
      {open.kind === 'turn-off' && (
        <ProofGate onCancel={close}>
          <TurnOffDialog
            onClose={close}
            onTurnedOff={async () => {
              await account.currentUser();
              count.reload();
            }}
          />
        </ProofGate>
      )}
      {open.kind === 'create-codes' && (
        <ProofGate onCancel={close}>
          <CreateRecoveryCodesDialog
            isReplacement={count.state.kind === 'ready' && count.state.data > 0}
            onClose={close}
            onCreated={showCodes}
          />
        </ProofGate>
      )}
      {open.kind === 'codes' && <RecoveryCodesDialog codes={open.codes} onClose={close} />}
    </Card>
  );
}
