import { useState } from 'react';
import { useConnect } from '../../backend/live-context.tsx';
import { Field } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { ConnectForm } from './connect-form.tsx';
import { MESSAGES } from './messages.ts';
import { useConnectForm } from './use-connect-form.ts';

type Kind = 'dockerhub' | 'registry';

const { account: TEXTS } = MESSAGES;

const CHOICES: { value: Kind; label: string }[] = [
  { value: 'dockerhub', label: TEXTS.registries.dockerhub },
  { value: 'registry', label: TEXTS.registries.registry },
];

type RegistryFormProps = {
  /** Of the account that is connected again; undefined for Docker Hub. */
  host: string | undefined;
  username: string;
  onDone(): void;
};

/** Username and password, or an access token in its place. */
export function RegistryForm(props: RegistryFormProps) {
  const { connectDockerHub, connectRegistry } = useConnect();
  const [kind, setKind] = useState<Kind>(props.host === undefined ? 'dockerhub' : 'registry');
  const [host, setHost] = useState(props.host ?? '');
  const [username, setUsername] = useState(props.username);
  const [password, setPassword] = useState('');
  const isHub = kind === 'dockerhub';
  const account = { username: username.trim(), password };
  const form = useConnectForm({
    problems: {
      ...(!isHub && host.trim() === '' && { host: MESSAGES.hostMissing }),
      ...missingOf(account),
    },
    name: isHub ? TEXTS.registries.dockerhub : host.trim(),
    connect: () =>
      isHub ? connectDockerHub(account) : connectRegistry({ host: host.trim(), ...account }),
    onDone: props.onDone,
  });
  return (
    <ConnectForm failure={form.failure} isBusy={form.isBusy} onSubmit={() => void form.submit()}>
      <div>
        <Segmented
          label={TEXTS.registry}
          value={kind}
          options={CHOICES}
          onChange={(chosen) => setKind(chosen)}
        />
      </div>
      {!isHub && (
        <Field
          label={TEXTS.host}
          placeholder={TEXTS.hostExample}
          hint={TEXTS.hostHint}
          autoComplete="off"
          spellCheck={false}
          value={host}
          problem={form.problems.host}
          onChange={(event) => setHost(event.target.value)}
        />
      )}
      <Field
        label={TEXTS.username}
        autoComplete="off"
        spellCheck={false}
        value={username}
        problem={form.problems.username}
        onChange={(event) => setUsername(event.target.value)}
      />
      <Field
        label={TEXTS.password}
        type="password"
        autoComplete="off"
        hint={TEXTS.passwordHint}
        value={password}
        problem={form.problems.password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </ConnectForm>
  );
}

/** Spec §5, Registry form; said once, at the first field that is empty. */
function missingOf({ username, password }: { username: string; password: string }) {
  if (username === '') return { username: MESSAGES.bothMissing };
  return password === '' ? { password: MESSAGES.bothMissing } : {};
}
