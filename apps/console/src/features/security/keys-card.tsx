import type { SecurityKey } from '@longshore/contract';
import { useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { ProofGate } from '../../proof/proof-gate.tsx';
import { Button } from '../../ui/button.tsx';
import { Plus } from '../../ui/icons.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { AddKeyDialog } from './add-key-dialog.tsx';
import { type List, ListCard, RowText } from './list-card.tsx';
import { MESSAGES } from './messages.ts';
import { RemovalDialog } from './removal-dialog.tsx';
import { useAccountAction } from './use-account-action.ts';

const { keys: TEXTS } = MESSAGES;

type Open = { kind: 'nothing' } | { kind: 'add' } | { kind: 'remove'; key: SecurityKey };

/** The UI calls security keys passkeys. */
export function KeysCard({ keys }: { keys: List<SecurityKey> }) {
  const { account } = useServices();
  const removal = useAccountAction(account.removeSecurityKey, TEXTS.removed);
  const [open, setOpen] = useState<Open>({ kind: 'nothing' });
  const close = () => setOpen({ kind: 'nothing' });

  async function remove({ id }: SecurityKey) {
    await removal.run(id);
    close();
    keys.reload();
  }

  return (
    <>
      <ListCard
        title={TEXTS.title}
        text={TEXTS.text}
        emptyText={TEXTS.none}
        list={keys}
        actions={
          <Button size="small" onClick={() => setOpen({ kind: 'add' })}>
            <Plus size={15} aria-hidden="true" />
            {TEXTS.add}
          </Button>
        }
      >
        {(key) => (
          <>
            <RowText title={nameOf(key)}>
              <span>
                {TEXTS.addedAt} <TimeAgo at={key.createdAt} />
              </span>
            </RowText>
            <Button
              size="small"
              aria-label={TEXTS.removeNamed(nameOf(key))}
              onClick={() => setOpen({ kind: 'remove', key })}
            >
              {TEXTS.remove}
            </Button>
          </>
        )}
      </ListCard>
      {open.kind === 'add' && (
        <ProofGate onCancel={close}>
          <AddKeyDialog onClose={close} onAdded={keys.reload} />
        </ProofGate>
      )}
      {open.kind === 'remove' && (
        <ProofGate onCancel={close}>
          <RemovalDialog
            title={`${TEXTS.removeNamed(nameOf(open.key))}?`}
            text={TEXTS.removal}
            confirmLabel={TEXTS.remove}
            isBusy={removal.isBusy}
            onClose={close}
            onConfirm={() => void remove(open.key)}
          />
        </ProofGate>
      )}
    </>
  );
}

function nameOf({ nickname }: SecurityKey): string {
  return nickname || TEXTS.unnamed;
}
