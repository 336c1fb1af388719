import { HEADER_SCROLL_THRESHOLD_PX, ROUTES } from '@longshore/contract';
import { clsx } from 'clsx';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useConfig } from '../client/console-environment.tsx';
import { chooseTheme, toggledTheme } from '../lib/appearance.ts';
import { useTheme } from '../lib/use-appearance.ts';
import { buttonStyle } from '../ui/button-style.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { BookOpen, CircleUser, LogOut, Moon, Search, Sun } from '../ui/icons.tsx';
import { KeyboardKey } from '../ui/keyboard-key.tsx';
import { Logo } from '../ui/logo.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { AccentPicker } from './accent-picker.tsx';
import { MESSAGES } from './messages.ts';
import { MobileMenu } from './mobile-menu.tsx';
import { NavigationLinks } from './navigation-links.tsx';

type TopBarProps = { onSignOut(): void; onOpenPalette(): void };

export function TopBar({ onSignOut, onOpenPalette }: TopBarProps) {
  const { docsUrl } = useConfig();
  const isScrolled = useIsScrolled();
  return (
    <header
      className={clsx(
        'sticky top-0 z-30 h-16 border-b transition-[background-color,border-color] duration-150',
        isScrolled ? 'border-line bg-page/80 backdrop-blur' : 'border-transparent bg-page',
      )}
    >
      <div className="mx-auto flex h-full max-w-7xl items-center gap-1 px-3 sm:px-6">
        <MobileMenu onOpenPalette={onOpenPalette} />
        <Link
          to={ROUTES.dashboard}
          aria-label="Longshore"
          className="mr-2 flex h-10 items-center gap-2 rounded-box px-1.5 text-base font-semibold tracking-tight md:mr-5 md:-ml-1.5"
        >
          <Logo />
          <span className="max-[400px]:hidden">Longshore</span>
        </Link>
        <div className="hidden md:block">
          <NavigationLinks />
        </div>
        <div className="ml-auto flex items-center sm:gap-0.5 md:-mr-2">
          <PaletteButton onPress={onOpenPalette} />
          <AccentPicker />
          <Tooltip text={MESSAGES.documentation}>
            <a
              href={docsUrl}
              target="_blank"
              rel="noopener"
              aria-label={MESSAGES.documentation}
              className={buttonStyle('ghost', 'icon')}
            >
              <BookOpen size={17} aria-hidden="true" />
            </a>
          </Tooltip>
          <ThemeToggle />
          <Tooltip text={MESSAGES.pages.profile}>
            <Link
              to={ROUTES.profile}
              aria-label={MESSAGES.pages.profile}
              className={buttonStyle('ghost', 'icon')}
            >
              <CircleUser size={17} aria-hidden="true" />
            </Link>
          </Tooltip>
          <IconButton label={MESSAGES.signOut} onClick={onSignOut}>
            <LogOut size={17} aria-hidden="true" />
          </IconButton>
        </div>
      </div>
    </header>
  );
}

/** Hidden on small screens, where the menu contains it. */
function PaletteButton({ onPress }: { onPress(): void }) {
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

function ThemeToggle() {
  const theme = useTheme();
  const next = toggledTheme(theme);
  const Icon = theme === 'dark' ? Sun : Moon;
  return (
    <IconButton label={MESSAGES.themes[next]} onClick={() => chooseTheme(next)}>
      <Icon size={17} aria-hidden="true" />
    </IconButton>
  );
}

/** Whether the page is scrolled by more than 10 px (spec-map 4.3). */
function useIsScrolled(): boolean {
  // Read on scroll events, not on every render: reading `scrollY` forces a layout.
  const [isScrolled, setScrolled] = useState(isBeyondThreshold);
  useEffect(() => {
    const update = () => setScrolled(isBeyondThreshold());
    window.addEventListener('scroll', update, { passive: true });
    return () => window.removeEventListener('scroll', update);
  }, []);
  return isScrolled;
}

function isBeyondThreshold(): boolean {
  return window.scrollY > HEADER_SCROLL_THRESHOLD_PX;
}
