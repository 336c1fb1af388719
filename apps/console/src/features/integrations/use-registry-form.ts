import { useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { MESSAGES } from './messages.ts';
import { useConnectForm } from './use-connect-form.ts';

export type RegistryKind = keyof typeof MESSAGES.account.registries;

export type KnownRegistry = {
  /** The host of the account to reconnect; undefined for Docker Hub. */
  host: string | undefined;
  username: string;
  onDone(): void;
};

/** An account at Docker Hub or at another registry, identified by its host. */
export function useRegistryForm({ host: knownHost, username: knownName, onDone }: KnownRegistry) {
  const { connect } = useServices();
  const [kind, setKind] = useState<RegistryKind>(
    knownHost === undefined ? 'dockerhub' : 'registry',
  );
  const [host, setHost] = useState(knownHost ?? '');
  const [username, setUsername] = useState(knownName);
  const [password, setPassword] = useState('');
  const isHub = kind === 'dockerhub';
  const account = { username: username.trim(), password };
  const form = useConnectForm({
    problems: {
      ...(!isHub && host.trim() === '' && { host: MESSAGES.hostMissing }),
      ...missingCredentials(account),
    },
    name: isHub ? MESSAGES.account.registries.dockerhub : host.trim(),
    connect: () =>
      isHub
        ? connect.connectDockerHub(account)
        : connect.connectRegistry({ host: host.trim(), ...account }),
    onDone,
  });
  return { ...form, kind, setKind, host, setHost, username, setUsername, password, setPassword };
}

/** Shown once, at the first empty field (spec-map 5.2.21). */
function missingCredentials({ username, password }: { username: string; password: string }) {
  if (username === '') return { username: MESSAGES.bothMissing };
  return password === '' ? { password: MESSAGES.bothMissing } : {};
}
