import { Moon, Sun } from 'lucide-react';
import { useEffect, useState } from 'react';
import { chooseTheme, followSystemTheme, readTheme, toggledTheme } from '../lib/appearance.ts';
import { IconButton } from '../ui/icon-button.tsx';

export function ThemeToggle() {
  const [theme, setTheme] = useState(readTheme);
  useEffect(() => followSystemTheme(() => setTheme(readTheme())), []);
  function toggle() {
    const next = toggledTheme(theme);
    chooseTheme(next);
    setTheme(next);
  }
  const Icon = theme === 'dark' ? Sun : Moon;
  return (
    <IconButton label={theme === 'dark' ? 'Light theme' : 'Dark theme'} onClick={toggle}>
      <Icon size={17} aria-hidden="true" />
    </IconButton>
  );
}
