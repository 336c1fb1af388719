import { ACCENTS } from '@longshore/contract';
import { Popover } from 'radix-ui';
import { chooseAccent } from '../lib/appearance.ts';
import { useAccent } from '../lib/use-appearance.ts';
import { buttonStyle } from '../ui/button-style.ts';
import { Check, Palette } from '../ui/icons.tsx';
import { MESSAGES } from './messages.ts';

export function AccentPicker() {
  const current = useAccent();
  return (
    <Popover.Root>
      <Popover.Trigger aria-label={MESSAGES.accent} className={buttonStyle('ghost', 'icon')}>
        <Palette size={17} aria-hidden="true" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          aria-label={MESSAGES.accent}
          className="z-50 grid animate-fade grid-cols-3 gap-1 rounded-box border border-line bg-raised p-2 shadow-float"
        >
          {ACCENTS.map((accent) => (
            <button
              key={accent}
              type="button"
              aria-label={accent}
              aria-pressed={accent === current}
              title={accent}
              onClick={() => chooseAccent(accent)}
              className="grid size-10 place-items-center rounded-box hover:bg-hover"
            >
              <span
                data-accent={accent}
                className="grid size-6 place-items-center rounded-full bg-accent text-on-accent"
              >
                {accent === current && <Check size={14} strokeWidth={3} aria-hidden="true" />}
              </span>
            </button>
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
