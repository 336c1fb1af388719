import type { ProofOption } from '@longshore/contract';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { useServices } from '../client/session-context.tsx';
import { type Request, useRequest } from '../client/use-request.ts';
import { ConfirmIdentityDialog } from './confirm-identity-dialog.tsx';

/**
 * Resolves with true once the user has proved their identity recently enough: at once, or with the dialog. If the server
 * cannot be asked, it resolves with true, because the change itself then fails with a better error.
 */
type AskForProof = () => Promise<boolean>;

const ProofContext = createContext<AskForProof | undefined>(undefined);

type Question = { options: ProofOption[]; answer(isProved: boolean): void };

/** Holds the dialog that asks for a proof of identity, for a page with sensitive changes. */
export function ProofProvider({ children }: { children: ReactNode }) {
  const { account } = useServices();
  const [question, setQuestion] = useState<Question>();

  async function ask(): Promise<boolean> {
    const status = await account.proofStatus();
    if (!status.ok || status.data.isFresh) return true;
    return await new Promise((resolve) => {
      setQuestion({
        options: status.data.options,
        answer(isProved) {
          setQuestion(undefined);
          resolve(isProved);
        },
      });
    });
  }

  return (
    <ProofContext value={ask}>
      {children}
      {question !== undefined && (
        <ConfirmIdentityDialog
          options={question.options}
          onProved={() => question.answer(true)}
          onClose={() => question.answer(false)}
        />
      )}
    </ProofContext>
  );
}

export function useAskForProof(): AskForProof {
  const ask = useContext(ProofContext);
  if (ask === undefined) throw new Error('ProofProvider is missing');
  return ask;
}

type ProofGateProps = { onCancel(): void; children: ReactNode };

/** Shows the dialog of a sensitive change after the user has confirmed their identity. */
export function ProofGate({ onCancel, children }: ProofGateProps) {
  const ask = useAskForProof();
  const [isOpen, setOpen] = useState(false);
  const isAsked = useRef(false);

  useEffect(() => {
    if (isAsked.current) return;
    isAsked.current = true;
    void ask().then((isProved) => (isProved ? setOpen(true) : onCancel()));
  }, [ask, onCancel]);

  return isOpen && children;
}

/** The error of a change that needs a new proof of identity. */
export const REAUTHENTICATION_REQUIRED = 'reauthentication-required';

type FailableResult = { ok: true } | { ok: false; error: { error?: string } };

/**
 * A request for a sensitive change. If the proof has become too old since the gate was passed, it asks for a new one and
 * repeats the request.
 */
export function useProvedRequest<Input, Result extends FailableResult>(
  request: (input: Input) => Promise<Result>,
): Request<Input, Result> {
  const ask = useAskForProof();
  return useRequest(async (input: Input) => {
    const result = await request(input);
    if (result.ok || result.error.error !== REAUTHENTICATION_REQUIRED) return result;
    return (await ask()) ? await request(input) : result;
  });
}
