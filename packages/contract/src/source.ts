export type SourceRules = {
  /** The operator allows `file://`, plain `http://` and hosts of the private network. */
  allowLocalSources: boolean;
};

const SCP_FORM = /^[A-Za-z0-9._-]+@[A-Za-z0-9.-]+:(?!\/\/)[^\s]+$/;
const REF = /^[\p{L}\p{N}][\p{L}\p{N}._/+@#=,-]*$/u;
const REF_MAX_LENGTH = 200;
const URL_MAX_LENGTH = 2_000;

/** Spec §5, Git manual mode; the allowed protocols are the server's own rule. */
export function sourceUrlProblem(url: string, rules: SourceRules): string | undefined {
  if (url.trim() === '') return 'Source URL is required';
  if (url.length > URL_MAX_LENGTH || /[\s\p{Cc}]/u.test(url))
    return 'Source URL is not a valid address';
  if (SCP_FORM.test(url)) return undefined;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined) return 'Source URL must start with https:// or ssh://';
  if (parsed.password !== '') return 'Source URL must not contain a password';
  return protocolProblem(parsed.protocol, rules);
}

export function sourceRefProblem(ref: string): string | undefined {
  const isRef =
    ref.length <= REF_MAX_LENGTH &&
    REF.test(ref) &&
    !ref.includes('..') &&
    !ref.includes('//') &&
    !ref.includes('@{') &&
    !/(?:\/|\.|\.lock)$/.test(ref);
  return isRef ? undefined : 'Source ref must be the name of a branch or tag, or a commit';
}

function protocolProblem(protocol: string, { allowLocalSources }: SourceRules): string | undefined {
  if (protocol === 'https:' || protocol === 'ssh:') return undefined;
  const isLocal = protocol === 'file:' || protocol === 'http:';
  if (!isLocal) return 'Source URL must start with https:// or ssh://';
  return allowLocalSources
    ? undefined
    : `Source URL must start with https:// or ssh://; ${protocol}// is allowed only by the operator`;
}
