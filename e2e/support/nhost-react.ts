import { createRequire } from 'node:module';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { Window } from 'happy-dom';
import { createElement, type PropsWithChildren } from 'react';
import { addressesFor3, memoryStorage } from './nhost.ts';

const require = createRequire(import.meta.url);

/** The React bindings of the specification's client, and their last version. */
const VERSIONS = {
  'nhost-react-3-10': require.resolve('nhost-react-3-10'),
  'nhost-react-3-11': require.resolve('nhost-react-3-11'),
};
export const NHOST_REACT = Object.keys(VERSIONS) as (keyof typeof VERSIONS)[];

/** Opens an app with the public React bindings at a URL, with empty storage. */
export function openApp(name: keyof typeof VERSIONS, address: string) {
  const { happyDOM, location } = globalThis as unknown as Window;
  happyDOM.setURL(address);
  const nhostReact = require(VERSIONS[name]) as typeof import('nhost-react-3-11');
  const nhost = new nhostReact.NhostClient({
    ...addressesFor3(new URL(address).origin),
    autoSignIn: true,
    clientStorage: memoryStorage(),
  });
  const wrapper = ({ children }: PropsWithChildren) =>
    createElement(nhostReact.NhostProvider, { nhost }, children);
  const { result, unmount } = renderHook(() => useHooksOf(nhostReact), { wrapper });
  return {
    /** The current values of the hooks. */
    get hooks() {
      return result.current;
    },
    /** Runs an action and waits until the hooks have updated. */
    act: <T>(action: (hooks: Hooks) => Promise<T>): Promise<T> =>
      act(async () => await action(result.current)),
    waitUntil: (expectation: (hooks: Hooks) => void) =>
      waitFor(() => expectation(result.current), { timeout: 30_000 }),
    /** The current URL. */
    address: () => new URL(location.href),
    close: unmount,
  };
}

type Hooks = ReturnType<typeof useHooksOf>;

function useHooksOf(nhostReact: typeof import('nhost-react-3-11')) {
  return {
    status: nhostReact.useAuthenticationStatus(),
    user: nhostReact.useUserData(),
    signUp: nhostReact.useSignUpEmailPassword(),
    signIn: nhostReact.useSignInEmailPassword(),
    signOut: nhostReact.useSignOut(),
    resetPassword: nhostReact.useResetPassword(),
    changePassword: nhostReact.useChangePassword(),
    changeEmail: nhostReact.useChangeEmail(),
    secondFactor: nhostReact.useConfigMfa(),
    providerLinks: nhostReact.useProviderLink({ redirectTo: '/welcome' }),
  };
}
