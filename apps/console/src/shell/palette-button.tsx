import { buttonStyle } from '../ui/button-style.ts';
import { Search } from '../ui/icons.tsx';
import { Key } from '../ui/key.tsx';
import { MESSAGES } from './messages.ts';

/** On small screens the menu has one. */
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
          <Key key={key}>{key}</Key>
        ))}
      </span>
    </button>
  );
}
