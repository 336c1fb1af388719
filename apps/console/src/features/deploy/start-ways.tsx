import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { CARD_STYLE } from '../../ui/card.tsx';
import { Container, GitBranch, Rocket } from '../../ui/icons.tsx';
import { MESSAGES } from './messages.ts';
import type { StartWay } from './model/wizard.ts';

const TEXTS = MESSAGES.start;

type StartWaysProps = {
  isBusy: boolean;
  onSample(): void;
  onChoose(way: StartWay): void;
};

/** The ways to a first app. */
export function StartWays({ isBusy, onSample, onChoose }: StartWaysProps) {
  const { uploads } = useServices();
  return (
    <div className="grid gap-6">
      <ul className="grid grid-cols-1 gap-4 lg:grid-cols-3">
        {uploads !== undefined && (
          <Way
            icon={<Rocket size={18} aria-hidden="true" />}
            texts={TEXTS.ways.sample}
            isPrimary
            isBusy={isBusy}
            onPress={onSample}
          />
        )}
        <Way
          icon={<GitBranch size={18} aria-hidden="true" />}
          texts={TEXTS.ways.git}
          onPress={() => onChoose('git')}
        />
        <Way
          icon={<Container size={18} aria-hidden="true" />}
          texts={TEXTS.ways.image}
          onPress={() => onChoose('image')}
        />
      </ul>
      {uploads !== undefined && (
        <p className="text-center text-muted">
          {TEXTS.uploadQuestion}{' '}
          <button
            type="button"
            className="rounded text-accent-ink underline-offset-4 hover:underline"
            onClick={() => onChoose('upload')}
          >
            {TEXTS.upload}
          </button>
        </p>
      )}
    </div>
  );
}

type WayProps = {
  icon: ReactNode;
  texts: { title: string; text: string; action: string };
  isPrimary?: boolean;
  isBusy?: boolean;
  onPress(): void;
};

function Way({ icon, texts, isPrimary = false, isBusy = false, onPress }: WayProps) {
  return (
    <li className={clsx(CARD_STYLE, 'flex flex-col items-start gap-2 p-5')}>
      <span className="mb-2 grid size-10 place-items-center rounded-box border border-line bg-sunken text-muted">
        {icon}
      </span>
      <h3 className="text-[0.9375rem] font-semibold">{texts.title}</h3>
      <p className="mb-3 text-muted">{texts.text}</p>
      <Button
        kind={isPrimary ? 'primary' : 'secondary'}
        className="mt-auto"
        isBusy={isBusy}
        onClick={onPress}
      >
        {texts.action}
      </Button>
    </li>
  );
}
