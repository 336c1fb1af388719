import { type IncomingMessage, ServerResponse } from 'node:http';
import type { ResponseHead } from './response-head.ts';

/** What Node calls with the status line and the headers to compose the head. It is not part of its types. */
type StoreHeader = (this: ServerResponse, statusLine: string, headers: unknown) => void;

const { _storeHeader: storeHeader } = ServerResponse.prototype as unknown as {
  _storeHeader: StoreHeader;
};

/**
 * A response over HTTP/1.1. The lines of an app's head are checked when they are read. They are sent as they are: checking
 * and composing them once more would take a tenth of the time of a request.
 */
export class VisitorResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  private checkedLines = '';

  /** Node adds what belongs to the connection. `framing`: a flat list of the headers that Node has to know. */
  writeCheckedHead({ status, reason, lines, hasDate }: ResponseHead, framing: string[]): void {
    this.checkedLines = lines;
    if (hasDate) this.sendDate = false;
    this.writeHead(status, reason, framing);
  }

  _storeHeader(statusLine: string, headers: unknown): void {
    const { checkedLines } = this;
    // Another head, such as that of an error page, must not get them.
    this.checkedLines = '';
    storeHeader.call(this, statusLine + checkedLines, headers);
  }
}
