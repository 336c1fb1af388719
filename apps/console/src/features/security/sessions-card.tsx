import type { ActiveSession } from '@longshore/contract';
import { useAccount } from '../../backend/live-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Pill } from '../../ui/pill.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { type List, ListCard, RowText } from './list-card.tsx';
import { MESSAGES } from './messages.ts';
import { deviceName } from './model/device-name.ts';
import { useAct } from './use-act.ts';

const { sessions: TEXTS } = MESSAGES;

/** Where one is signed in, and the way to end it there. */
export function SessionsCard({ sessions }: { sessions: List<ActiveSession> }) {
  const { revokeSession } = useAccount();
  const end = useAct(revokeSession, TEXTS.ended);
  const endOthers = useAct(async (others: ActiveSession[]) => {
    const answers = await Promise.all(others.map(({ id }) => revokeSession(id)));
    return answers.find(({ ok }) => !ok) ?? { ok: true, value: undefined };
  }, TEXTS.endedOthers);
  const rows = sessions.state.kind === 'ready' ? sessions.state.value : [];
  const others = rows.filter(({ isCurrent }) => !isCurrent);

  async function after(act: Promise<boolean>) {
    await act;
    sessions.askAgain();
  }

  return (
    <ListCard
      title={TEXTS.title}
      none=""
      list={sessions}
      actions={
        others.length > 1 && (
          <Button
            size="small"
            isBusy={endOthers.isBusy}
            onClick={() => void after(endOthers.run(others))}
          >
            {TEXTS.endOthers}
          </Button>
        )
      }
    >
      {(session) => <SessionRow session={session} onEnd={() => void after(end.run(session.id))} />}
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
