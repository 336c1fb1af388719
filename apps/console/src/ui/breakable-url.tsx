import { Fragment } from 'react';

/** Allows line breaks before a dot and after a slash, so that names and numbers are not split where possible. */
const BREAK = /(?<=[^/]\/)(?!\/)|(?=\.)/;

export function BreakableUrl({ children }: { children: string }) {
  return children.split(BREAK).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
