import { buttonStyle } from '../ui/button-style.ts';
import { Search } from '../ui/icons.tsx';
import { KeyboardKey } from '../ui/keyboard-key.tsx';
import { MESSAGES } from './messages.ts';

/** Hidden on small screens, where the menu contains it. */
export function PaletteButton({ onPress }: { onPress(): void }) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={onPress}
      className={buttonStyle('secondary', 'small', 'mr-2 font-normal text-muted max-md:hidden')}
    >
      <Search size={14} aria-hidden="true" />
      {MESSAGES.palette.open}
      <span aria-hidden="true" className="ml-3 flex gap-1 max-lg:hidden">
        {MESSAGES.palette.keys.map((key) => (
          <KeyboardKey key={key}>{key}</KeyboardKey>
        ))}
      </span>
    </button>
  );
}
