import { Moon, Sun } from 'lucide-react';
import { chooseTheme, toggledTheme } from '../lib/appearance.ts';
import { useTheme } from '../lib/use-appearance.ts';
import { IconButton } from '../ui/icon-button.tsx';

export function ThemeToggle() {
  const theme = useTheme();
  const Icon = theme === 'dark' ? Sun : Moon;
  return (
    <IconButton
      label={theme === 'dark' ? 'Light theme' : 'Dark theme'}
      onClick={() => chooseTheme(toggledTheme(theme))}
    >
      <Icon size={17} aria-hidden="true" />
    </IconButton>
  );
}
