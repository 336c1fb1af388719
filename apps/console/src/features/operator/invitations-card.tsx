import type { OperatorService } from '@longshore/client';
import type { Invitation, NewInvitation } from '@longshore/contract';
import { useCallback, useState } from 'react';
import { useQuery } from '../../client/use-query.ts';
import { Button } from '../../ui/button.tsx';
import { Plus } from '../../ui/icons.tsx';
import { Pill } from '../../ui/pill.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { InvitationLinkDialog, InviteDialog } from './invite-dialogs.tsx';
import { MESSAGES } from './messages.ts';
import { QueryCard } from './query-card.tsx';
import { useChange } from './use-change.ts';

const { invitations: TEXTS } = MESSAGES;
const INITIAL_ROWS = 5;

/** Invitations, newest first. The link of a new one is shown once. */
export function InvitationsCard({ operator }: { operator: OperatorService }) {
  const load = useCallback((signal: AbortSignal) => operator.invitations({ signal }), [operator]);
  const query = useQuery(load);
  const [isInviting, setInviting] = useState(false);
  const [created, setCreated] = useState<NewInvitation>();
  const [showsAll, setShowsAll] = useState(false);
  const resend = useChange(operator.sendInvitation);
  const revoke = useChange(operator.revokeInvitation, TEXTS.revoked);

  function show(invitation: NewInvitation) {
    setInviting(false);
    setCreated(invitation);
    query.reload();
  }

  return (
    <>
      <QueryCard
        title={TEXTS.title}
        skeleton="h-28"
        query={query}
        actions={
          <Button size="small" onClick={() => setInviting(true)}>
            <Plus size={15} aria-hidden="true" />
            {TEXTS.create}
          </Button>
        }
      >
        {(invitations) => (
          <>
            <p className="px-4 pt-3 text-muted">{TEXTS.text}</p>
            {invitations.length === 0 && <p className="px-4 py-3 text-faint">{TEXTS.none}</p>}
            <ul className="divide-y divide-line">
              {invitations.slice(0, showsAll ? undefined : INITIAL_ROWS).map((invitation) => (
                <InvitationRow
                  key={invitation.id}
                  invitation={invitation}
                  isBusy={resend.isBusy || revoke.isBusy}
                  onResend={async () => {
                    const sent = await resend.run(invitation.id);
                    if (sent !== undefined) show(sent.data);
                  }}
                  onRevoke={async () => {
                    await revoke.run(invitation.id);
                    query.reload();
                  }}
                />
              ))}
            </ul>
            {!showsAll && invitations.length > INITIAL_ROWS && (
              <div className="border-t border-line px-4 py-3">
                <Button size="small" onClick={() => setShowsAll(true)}>
                  {TEXTS.more(invitations.length)}
                </Button>
              </div>
            )}
          </>
        )}
      </QueryCard>
      {isInviting && (
        <InviteDialog operator={operator} onClose={() => setInviting(false)} onCreated={show} />
      )}
      {created !== undefined && (
        <InvitationLinkDialog created={created} onClose={() => setCreated(undefined)} />
      )}
    </>
  );
}

type InvitationRowProps = {
  invitation: Invitation;
  isBusy: boolean;
  onResend(): Promise<void>;
  onRevoke(): Promise<void>;
};

function InvitationRow({ invitation, isBusy, onResend, onRevoke }: InvitationRowProps) {
  const { email, state, createdAt, expiresAt } = invitation;
  const canChange = state === 'open' || state === 'expired';
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="min-w-0 break-all">{email}</span>
          <Pill>{TEXTS.states[state]}</Pill>
        </p>
        <p className="flex flex-wrap gap-x-3 text-xs text-muted">
          <span>
            {TEXTS.createdAt} <TimeAgo at={createdAt} />
          </span>
          {state === 'open' && (
            <span>{TEXTS.expiresOn(new Date(expiresAt).toLocaleDateString('en-US'))}</span>
          )}
        </p>
      </div>
      {canChange && (
        <div className="flex gap-2">
          <Button
            size="small"
            isBusy={isBusy}
            aria-label={TEXTS.resendTo(email)}
            onClick={() => void onResend()}
          >
            {TEXTS.resend}
          </Button>
          <Button
            size="small"
            isBusy={isBusy}
            aria-label={TEXTS.revokeOf(email)}
            onClick={() => void onRevoke()}
          >
            {TEXTS.revoke}
          </Button>
        </div>
      )}
    </li>
  );
}
