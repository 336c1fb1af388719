import { Fragment } from 'react';

/** Breaks before a dot and after a slash first, so that no number or name is torn where it need not be. */
const SEAM = /(?<=[^/]\/)(?!\/)|(?=\.)/;

export function Address({ children }: { children: string }) {
  return children.split(SEAM).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
