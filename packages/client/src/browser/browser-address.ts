import type { Address } from '../ports.ts';

export const browserAddress: Address = {
  href: () => location.href,
  replace: (href) => history.replaceState(history.state, '', href),
};
