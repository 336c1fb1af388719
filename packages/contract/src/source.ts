import { hasHiddenCharacters } from './characters.ts';

export type SourceRules = {
  /** Allows `file://`, plain `http://` and hosts of private networks; set by the operator. */
  allowLocalSources: boolean;
};

const SCP_FORM = /^\w[\w.-]*@[A-Za-z0-9][A-Za-z0-9.-]*:(?!\/\/|-)\S+$/;
const SCHEME = /^(https|ssh|http|file):\/\//;
/**
 * Stricter than `new URL`, which disagrees with git and curl about some hosts: they resolve
 * `https://example.com\@127.0.0.1/` to 127.0.0.1. Neither user nor host may start with a dash, which ssh reads as an option.
 */
const ADDRESS =
  /^\w+:\/\/(?:\w[\w.~%+-]*@)?(?:[A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?\/[^\\]*$/;
const FILE_ADDRESS = /^file:\/\/\/[^\\]+$/;
const URL_MAX_LENGTH = 2_000;

const REF = /^[\p{L}\p{N}_@][\p{L}\p{M}\p{N}._/+@#=,-]*$/u;
/** What `git check-ref-format` rejects although REF accepts it. */
const INVALID_REF = /^@$|\.\.|\/[/.]|[/.]$|\.lock(?:\/|$)/;
const REF_MAX_LENGTH = 200;

export function sourceUrlProblem(url: string, rules: SourceRules): string | undefined {
  if (url.trim() === '') return 'Source URL is required';
  if (url.length > URL_MAX_LENGTH || /\s/.test(url) || hasHiddenCharacters(url)) {
    return 'Source URL is not valid';
  }
  if (SCP_FORM.test(url)) return undefined;
  const scheme = SCHEME.exec(url)?.[1];
  if (scheme === undefined) return 'Source URL must start with https:// or ssh://';
  if (hasPassword(url)) return 'Source URL must not contain a password';
  const isAddress = scheme === 'file' ? FILE_ADDRESS.test(url) : ADDRESS.test(url);
  if (!isAddress || !URL.canParse(url)) return 'Source URL is not valid';
  return schemeProblem(scheme, rules);
}

export function sourceRefProblem(ref: string): string | undefined {
  const isRef = ref.length <= REF_MAX_LENGTH && REF.test(ref) && !INVALID_REF.test(ref);
  return isRef ? undefined : 'Source ref must be a branch, a tag or a commit';
}

function hasPassword(url: string): boolean {
  return URL.canParse(url) && new URL(url).password !== '';
}

function schemeProblem(scheme: string, { allowLocalSources }: SourceRules): string | undefined {
  if (scheme === 'https' || scheme === 'ssh' || allowLocalSources) return undefined;
  return `Source URL must start with https:// or ssh://; ${scheme}:// must be enabled by the operator`;
}
