import type { PersonalAccessToken } from '@longshore/contract';
import { useState } from 'react';
import { useEnvironment } from '../../client/console-environment.tsx';
import { useServices } from '../../client/session-context.tsx';
import { ProofGate, REAUTHENTICATION_REQUIRED, useAskForProof } from '../../proof/proof-gate.tsx';
import { Button } from '../../ui/button.tsx';
import { Plus } from '../../ui/icons.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { CreateTokenDialog } from './create-token-dialog.tsx';
import { type List, ListCard, RowText } from './list-card.tsx';
import { MESSAGES } from './messages.ts';
import { isExpired, tokenName } from './model/token-lifetime.ts';
import { RemovalDialog } from './removal-dialog.tsx';
import { useAccountAction } from './use-account-action.ts';

const { tokens: TEXTS } = MESSAGES;

type Open =
  | { kind: 'nothing' }
  | { kind: 'create' }
  | { kind: 'revoke'; token: PersonalAccessToken };

export function TokensCard({ tokens }: { tokens: List<PersonalAccessToken> }) {
  const { account } = useServices();
  const revocation = useAccountAction(account.revokePersonalAccessToken, TEXTS.revoked);
  const [open, setOpen] = useState<Open>({ kind: 'nothing' });
  const close = () => setOpen({ kind: 'nothing' });

  const ask = useAskForProof();
  const isHidden =
    tokens.state.kind === 'failed' && tokens.state.code === REAUTHENTICATION_REQUIRED;

  async function show() {
    if (await ask()) tokens.reload();
  }

  async function revoke({ id }: PersonalAccessToken) {
    await revocation.run(id);
    close();
    tokens.reload();
  }

  return (
    <>
      <ListCard
        title={TEXTS.title}
        text={TEXTS.text}
        emptyText={TEXTS.none}
        list={tokens}
        {...(isHidden ? { failedRow: <HiddenRow onShow={show} /> } : {})}
        actions={
          <Button size="small" onClick={() => setOpen({ kind: 'create' })}>
            <Plus size={15} aria-hidden="true" />
            {TEXTS.create}
          </Button>
        }
      >
        {(token) => <TokenRow token={token} onRevoke={() => setOpen({ kind: 'revoke', token })} />}
      </ListCard>
      {open.kind === 'create' && (
        <ProofGate onCancel={close}>
          <CreateTokenDialog onClose={close} onCreated={tokens.reload} />
        </ProofGate>
      )}
      {open.kind === 'revoke' && (
        <RemovalDialog
          title={`${TEXTS.revokeNamed(tokenName(open.token))}?`}
          text={TEXTS.revocation}
          confirmLabel={TEXTS.revoke}
          isBusy={revocation.isBusy}
          onClose={close}
          onConfirm={() => void revoke(open.token)}
        />
      )}
    </>
  );
}

/** Shown instead of the tokens until the user has confirmed their identity. */
function HiddenRow({ onShow }: { onShow(): Promise<void> }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <p className="text-muted">{TEXTS.hidden}</p>
      <Button size="small" onClick={() => void onShow()}>
        {TEXTS.show}
      </Button>
    </div>
  );
}

function TokenRow({ token, onRevoke }: { token: PersonalAccessToken; onRevoke(): void }) {
  const { now } = useEnvironment();
  const name = tokenName(token);
  return (
    <>
      <RowText title={name}>
        {isExpired(token, now()) ? (
          <span className="text-bad">{TEXTS.expired}</span>
        ) : (
          <span>{TEXTS.expires(new Date(token.expiresAt).toLocaleDateString('en-US'))}</span>
        )}
        <span>
          {token.lastUsedAt === null ? (
            TEXTS.neverUsed
          ) : (
            <>
              {TEXTS.used} <TimeAgo at={token.lastUsedAt} />
            </>
          )}
        </span>
      </RowText>
      <Button size="small" aria-label={TEXTS.revokeNamed(name)} onClick={onRevoke}>
        {TEXTS.revoke}
      </Button>
    </>
  );
}
