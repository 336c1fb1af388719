import { createRequire } from 'node:module';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { Window } from 'happy-dom';
import { createElement, type PropsWithChildren } from 'react';
import { addressesFor3, memoryStorage } from './nhost.ts';

const require = createRequire(import.meta.url);

/** The React bindings of the specification's client, and the last ones of their kind. */
const VERSIONS = {
  'nhost-react-3-10': require.resolve('nhost-react-3-10'),
  'nhost-react-3-11': require.resolve('nhost-react-3-11'),
};
export const NHOST_REACT = Object.keys(VERSIONS) as (keyof typeof VERSIONS)[];

/** Opens an app made with the public React bindings at an address, as a browser that was there never before. */
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
    /** What the hooks say now. */
    get says() {
      return result.current;
    },
    /** Does what a person does, and waits until the hooks have heard of it. */
    do: <T>(deed: (hooks: Hooks) => Promise<T>): Promise<T> =>
      act(async () => await deed(result.current)),
    until: (expectation: (hooks: Hooks) => void) =>
      waitFor(() => expectation(result.current), { timeout: 10_000 }),
    /** What the address bar shows. */
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
