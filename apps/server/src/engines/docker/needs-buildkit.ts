/** What only the newer builder understands: mounts and heredocs of RUN, links and modes of COPY, a syntax line. */
const NEWER = [
  /^#\s*syntax\s*=/im,
  /^\s*RUN\s+(?:--\w+(?:=\S+)?\s+)*--(?:mount|network|security)\b/im,
  /^\s*(?:RUN|COPY|ADD)\b.*<<-?["']?\w/im,
  /^\s*(?:COPY|ADD)\s+(?:--\w+(?:=\S+)?\s+)*--(?:link|chmod|exclude|parents|checksum)\b/im,
];

/** The older builder can be held to limits of memory and CPU, so it is used wherever it will do. */
export function needsBuildkit(dockerfile: string): boolean {
  return NEWER.some((pattern) => pattern.test(dockerfile));
}
