import { clsx } from 'clsx';
import { Link, useLocation } from 'react-router';
import { useIsolation } from '../client/use-isolation.ts';
import { MESSAGES } from './messages.ts';
import { isActiveEntry, NAVIGATION, OPERATOR_ENTRY } from './navigation.ts';

type NavigationLinksProps = { isStacked?: boolean; onChoose?(): void };

export function NavigationLinks({ isStacked = false, onChoose }: NavigationLinksProps) {
  const { pathname } = useLocation();
  const isOperator = useIsolation()?.isOperator ?? false;
  const entries = isOperator ? [...NAVIGATION, OPERATOR_ENTRY] : NAVIGATION;
  return (
    <nav aria-label={MESSAGES.navigation} className={clsx('flex gap-1', isStacked && 'flex-col')}>
      {entries.map(({ label, path }) => {
        const isActive = isActiveEntry(path, pathname);
        return (
          <Link
            key={path}
            to={path}
            aria-current={isActive ? 'page' : undefined}
            onClick={onChoose}
            className={clsx(
              'inline-flex items-center rounded-box px-3 font-medium',
              isStacked ? 'h-10' : 'h-9 pointer-coarse:h-10',
              isActive ? 'bg-hover text-accent-ink' : 'text-muted hover:bg-hover hover:text-text',
            )}
          >
            {label}
          </Link>
        );
      })}
    </nav>
  );
}
