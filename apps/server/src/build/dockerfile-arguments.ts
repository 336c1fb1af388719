const INSTRUCTION = /^[ \t]*ARG[ \t]+(.*)$/gim;
const CONTINUED_LINE = /\\[ \t]*\r?\n(?:[ \t]*#.*\n)*/g;
const QUOTED = /"(?:\\.|[^"\\])*"|'[^']*'/g;
const NAME = /^[A-Za-z_]\w*/;

/** The names of the build arguments that a Dockerfile declares. */
export function declaredArguments(dockerfile: string): string[] {
  const lines = dockerfile.replace(CONTINUED_LINE, ' ').matchAll(INSTRUCTION);
  const words = [...lines].flatMap(([, declared = '']) =>
    declared.replace(QUOTED, '').split(/\s+/),
  );
  return [...new Set(words.flatMap((word) => NAME.exec(word)?.[0] ?? []))];
}

/** The names of the secrets that a Dockerfile mounts. */
export function mountedSecrets(dockerfile: string): string[] {
  const mounts = dockerfile.matchAll(/--mount=(\S*type=secret\S*)/g);
  const ids = [...mounts].map(([, options = '']) => /(?:^|,)id=([^,\s]+)/.exec(options)?.[1]);
  return [...new Set(ids.filter((id) => id !== undefined))];
}
