import { chooseTheme, toggledTheme } from '../lib/appearance.ts';
import { useTheme } from '../lib/use-appearance.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Moon, Sun } from '../ui/icons.tsx';
import { MESSAGES } from './messages.ts';

export function ThemeToggle() {
  const theme = useTheme();
  const next = toggledTheme(theme);
  const Icon = theme === 'dark' ? Sun : Moon;
  return (
    <IconButton label={MESSAGES.themes[next]} onClick={() => chooseTheme(next)}>
      <Icon size={17} aria-hidden="true" />
    </IconButton>
  );
}
