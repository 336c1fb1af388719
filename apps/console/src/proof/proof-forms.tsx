import type { RequestResult } from '@longshore/client';
import type { ProofOption } from '@longshore/contract';
import { type FormEvent, type ReactNode, useState } from 'react';
import { errorText } from '../client/error-text.ts';
import { useServices, useUser } from '../client/session-context.tsx';
import { useRequest } from '../client/use-request.ts';
import { Button } from '../ui/button.tsx';
import { DialogFooter } from '../ui/dialog-footer.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { CANCEL } from '../ui/texts.ts';
import { useToast } from '../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';

type FormProps = {
  onProved(): void;
  onClose(): void;
  /** The other options. */
  children: ReactNode;
};

const FORMS: Record<ProofOption, (props: FormProps) => ReactNode> = {
  password: PasswordForm,
  totp: TotpForm,
  'security-key': SecurityKeyForm,
  'email-code': EmailCodeForm,
};

export function ProofForm({ option, ...props }: FormProps & { option: ProofOption }) {
  const Form = FORMS[option];
  return <Form {...props} />;
}

function PasswordForm(props: FormProps) {
  const proof = useProof(useServices().account.proveByPassword, props.onProved);
  const [password, setPassword] = useState('');
  const email = useUser().email ?? '';
  return (
    <Form
      {...props}
      isBusy={proof.isBusy}
      action={MESSAGES.confirm}
      onSubmit={() => proof.send(password, password === '' ? MESSAGES.enterPassword : undefined)}
    >
      {/* Lets password managers identify the account of the password. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <Field
        label={MESSAGES.password}
        type="password"
        autoComplete="current-password"
        autoFocus
        value={password}
        problem={proof.problem}
        onChange={(event) => setPassword(event.target.value)}
      />
      {props.children}
    </Form>
  );
}

function TotpForm(props: FormProps) {
  const proof = useProof(useServices().account.proveByTotp, props.onProved);
  return (
    <CodeForm {...props} {...proof} hint={MESSAGES.totpHint} acceptsRecoveryCode>
      {props.children}
    </CodeForm>
  );
}

function EmailCodeForm(props: FormProps) {
  const { account } = useServices();
  const email = useUser().email ?? '';
  const toast = useToast();
  const [isSent, setSent] = useState(false);
  const proof = useProof(account.proveByEmailCode, props.onProved);
  const delivery = useProof(account.sendProofCode, () => {
    setSent(true);
    toast({ title: MESSAGES.sent });
  });
  if (!isSent) {
    return (
      <Form
        {...props}
        isBusy={delivery.isBusy}
        action={MESSAGES.sendCode}
        onSubmit={() => delivery.send()}
      >
        {delivery.problem !== undefined && <Notice tone="bad">{delivery.problem}</Notice>}
        <p>{MESSAGES.emailText(email)}</p>
        {props.children}
      </Form>
    );
  }
  return (
    <CodeForm
      {...props}
      {...proof}
      problem={delivery.problem ?? proof.problem}
      hint={MESSAGES.emailHint(email)}
    >
      <Button
        size="small"
        isBusy={delivery.isBusy}
        className="justify-self-start"
        onClick={() => void delivery.send()}
      >
        {MESSAGES.sendAgain}
      </Button>
      {props.children}
    </CodeForm>
  );
}

function SecurityKeyForm(props: FormProps) {
  const proof = useProof(useServices().account.proveBySecurityKey, props.onProved);
  return (
    <Form {...props} isBusy={proof.isBusy} action={MESSAGES.useKey} onSubmit={() => proof.send()}>
      {proof.problem !== undefined && <Notice tone="bad">{proof.problem}</Notice>}
      <p>{MESSAGES.keyText}</p>
      {props.children}
    </Form>
  );
}

type CodeFormProps = FormProps & {
  hint: string;
  acceptsRecoveryCode?: boolean;
  isBusy: boolean;
  problem: string | undefined;
  send(code: string, problem: string | undefined): Promise<void>;
};

function CodeForm(props: CodeFormProps) {
  const { hint, acceptsRecoveryCode = false, isBusy, problem, send, onClose, children } = props;
  const [code, setCode] = useState('');
  const entered = code.trim();
  return (
    <Form
      isBusy={isBusy}
      action={MESSAGES.confirm}
      onClose={onClose}
      onSubmit={() => send(entered, entered === '' ? MESSAGES.enterCode : undefined)}
    >
      <Field
        label={MESSAGES.code}
        hint={hint}
        autoComplete="one-time-code"
        autoFocus
        spellCheck={false}
        {...(acceptsRecoveryCode
          ? { autoCapitalize: 'characters' }
          : { inputMode: 'numeric', maxLength: 7 })}
        value={code}
        problem={problem}
        onChange={(event) => setCode(event.target.value)}
      />
      {children}
    </Form>
  );
}

type SubmitProps = {
  isBusy: boolean;
  action: string;
  onClose(): void;
  onSubmit(): Promise<void>;
  children: ReactNode;
};

function Form({ isBusy, action, onClose, onSubmit, children }: SubmitProps) {
  function submit(event: FormEvent) {
    event.preventDefault();
    // React passes events through portals: the form of the interrupted change must not be submitted as well.
    event.stopPropagation();
    if (!isBusy) void onSubmit();
  }
  return (
    <form noValidate onSubmit={submit} className="flex min-h-0 flex-col">
      <div className="grid gap-4 overflow-y-auto p-5">{children}</div>
      <DialogFooter>
        <Button onClick={onClose}>{CANCEL}</Button>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {action}
        </Button>
      </DialogFooter>
    </form>
  );
}

/** `send` does not send an input with a problem. */
function useProof<Input = void>(
  request: (input: Input) => Promise<RequestResult<undefined>>,
  onDone: () => void,
) {
  const { send, isBusy } = useRequest(request);
  const [problem, setProblem] = useState<string>();
  return {
    isBusy,
    problem,
    async send(input: Input, inputProblem?: string): Promise<void> {
      setProblem(inputProblem);
      if (inputProblem !== undefined) return;
      const result = await send(input);
      if (result.ok) onDone();
      else setProblem(errorText(result.error) || MESSAGES.noReason);
    },
  };
}
