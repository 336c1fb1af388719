import { clsx } from 'clsx';
import { Card } from '../../ui/card.tsx';
import { Pill } from '../../ui/pill.tsx';
import { MESSAGES } from './messages.ts';
import type { ProfileView } from './model/profile-view.ts';

const { facts: TEXTS } = MESSAGES;

const NAME = 'w-20 shrink-0 text-faint';

/** The signed-in user (spec-map 2.13). */
export function IdentityCard({ view }: { view: ProfileView }) {
  const facts = [
    { name: TEXTS.email, value: view.email },
    { name: TEXTS.account, value: view.account },
    { name: TEXTS.locale, value: view.locale },
  ];
  return (
    <Card title={view.name}>
      <div className="flex items-center gap-4 px-4 pt-4">
        <Avatar initials={view.initials} colour={view.avatarColour} />
        <p className="text-muted">{MESSAGES.joined(view.joined)}</p>
      </div>
      <dl className="px-4 py-3">
        {facts.map(({ name, value }) => (
          <div key={name} className="flex gap-4 py-1.5">
            <dt className={NAME}>{name}</dt>
            <dd className="min-w-0">{value}</dd>
          </div>
        ))}
        <div className="flex items-center gap-4 py-1.5">
          <dt className={NAME}>{TEXTS.roles}</dt>
          <dd className="flex flex-wrap gap-1.5">
            {view.roles.map((role) => (
              <Pill key={role}>{role}</Pill>
            ))}
          </dd>
        </div>
      </dl>
    </Card>
  );
}

const COLOURS = ['bg-[#1d4ed8]', 'bg-[#15803d]', 'bg-[#7c3aed]', 'bg-[#be185d]'];

function Avatar({ initials, colour }: { initials: string; colour: number }) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'grid size-14 place-items-center rounded-full text-lg font-semibold text-white',
        COLOURS[colour],
      )}
    >
      {initials}
    </span>
  );
}
