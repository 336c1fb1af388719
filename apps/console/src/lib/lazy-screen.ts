import { withRetries } from '@longshore/client';
import { type ComponentType, lazy } from 'react';

/**
 * A screen whose code is loaded when it is first shown. If that fails repeatedly, the error boundary around it shows an
 * error with a button to try again.
 */
export function lazyScreen<Props extends object, Name extends string>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) {
  return lazy(async () => ({ default: (await withRetries(load))[name] }));
}
