import type { ActiveSession } from '@longshore/contract';
import { useServices } from '../../client/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Pill } from '../../ui/pill.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { type List, ListCard, RowText } from './list-card.tsx';
import { MESSAGES } from './messages.ts';
import { deviceName } from './model/device-name.ts';
import { useAccountAction } from './use-account-action.ts';

const { sessions: TEXTS } = MESSAGES;

/** The user's sessions, with buttons to end them. */
export function SessionsCard({ sessions }: { sessions: List<ActiveSession> }) {
  const { account } = useServices();
  const end = useAccountAction(account.revokeSession, TEXTS.ended);
  const endOthers = useAccountAction(async (others: ActiveSession[]) => {
    const results = await Promise.all(others.map(({ id }) => account.revokeSession(id)));
    return results.find(({ ok }) => !ok) ?? { ok: true as const, data: undefined };
  }, TEXTS.endedOthers);
  const rows = sessions.state.kind === 'ready' ? sessions.state.data : [];
  const others = rows.filter(({ isCurrent }) => !isCurrent);

  async function reloadAfter(action: Promise<boolean>) {
    await action;
    sessions.reload();
  }

  return (
    <ListCard
      title={TEXTS.title}
      emptyText=""
      list={sessions}
      actions={
        others.length > 1 && (
          <Button
            size="small"
            isBusy={endOthers.isBusy}
            onClick={() => void reloadAfter(endOthers.run(others))}
          >
            {TEXTS.endOthers}
          </Button>
        )
      }
    >
      {(session) => (
        <SessionRow session={session} onEnd={() => void reloadAfter(end.run(session.id))} />
      )}
    </ListCard>
  );
}

function SessionRow({ session, onEnd }: { session: ActiveSession; onEnd(): void }) {
  const { userAgent, address, lastUsedAt, isCurrent } = session;
  const device = deviceName(userAgent);
  return (
    <>
      <RowText
        title={
          <>
            {device}
            {isCurrent && <Pill>{TEXTS.current}</Pill>}
          </>
        }
      >
        {address !== null && <span className="font-mono">{address}</span>}
        <span>
          {TEXTS.used} <TimeAgo at={lastUsedAt} />
        </span>
      </RowText>
      {!isCurrent && (
        <Button size="small" aria-label={TEXTS.endAt(device)} onClick={onEnd}>
          {TEXTS.end}
        </Button>
      )}
    </>
  );
}
