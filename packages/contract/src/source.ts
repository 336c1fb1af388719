import { hasHiddenCharacters } from './hidden-characters.ts';

export type SourceRules = {
  /** The operator allows `file://`, plain `http://` and hosts of the private network. */
  allowLocalSources: boolean;
};

const SCP_FORM = /^\w[\w.-]*@[A-Za-z0-9][A-Za-z0-9.-]*:(?!\/\/|-)\S+$/;
const SCHEME = /^(https|ssh|http|file):\/\//;
/**
 * Stricter than `new URL`, which sees other hosts than git and curl do: they take
 * `https://example.com\@127.0.0.1/` to 127.0.0.1. Neither user nor host may read as an option of ssh.
 */
const ADDRESS =
  /^\w+:\/\/(?:\w[\w.~%+-]*@)?(?:[A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?\/[^\\]*$/;
const FILE_ADDRESS = /^file:\/\/\/[^\\]+$/;
const URL_MAX_LENGTH = 2_000;

const REF = /^[\p{L}\p{N}_@][\p{L}\p{M}\p{N}._/+@#=,-]*$/u;
/** What `git check-ref-format` refuses of the characters above. */
const NO_REF = /^@$|\.\.|\/[/.]|[/.]$|\.lock(?:\/|$)/;
const REF_MAX_LENGTH = 200;

/** Spec §5, Git manual mode; the allowed protocols are the server's own rule. */
export function sourceUrlProblem(url: string, rules: SourceRules): string | undefined {
  if (url.trim() === '') return 'Source URL is required';
  if (url.length > URL_MAX_LENGTH || /\s/.test(url) || hasHiddenCharacters(url)) {
    return 'Source URL is not a valid address';
  }
  if (SCP_FORM.test(url)) return undefined;
  const scheme = SCHEME.exec(url)?.[1];
  if (scheme === undefined) return 'Source URL must start with https:// or ssh://';
  if (hasPassword(url)) return 'Source URL must not contain a password';
  const isAddress = scheme === 'file' ? FILE_ADDRESS.test(url) : ADDRESS.test(url);
  if (!isAddress || !URL.canParse(url)) return 'Source URL is not a valid address';
  return schemeProblem(scheme, rules);
}

export function sourceRefProblem(ref: string): string | undefined {
  const isRef = ref.length <= REF_MAX_LENGTH && REF.test(ref) && !NO_REF.test(ref);
  return isRef ? undefined : 'Source ref must be the name of a branch or tag, or a commit';
}

function hasPassword(url: string): boolean {
  return URL.canParse(url) && new URL(url).password !== '';
}

function schemeProblem(scheme: string, { allowLocalSources }: SourceRules): string | undefined {
  if (scheme === 'https' || scheme === 'ssh' || allowLocalSources) return undefined;
  return `Source URL must start with https:// or ssh://; ${scheme}:// is allowed only by the operator`;
}
