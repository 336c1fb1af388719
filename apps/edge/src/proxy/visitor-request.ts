import { IncomingMessage } from 'node:http';

const SMALL_BYTES = 1_024;
const JOINED_BYTES = 4_096;
/** Most bodies have few pieces: those are not copied. */
const PIECES_BEFORE_JOINING = 16;

/**
 * A request over HTTP/1.1. Small pieces of its body that arrive together are joined: Node keeps an object for each, so a body
 * in chunks of one byte would take a hundred times its size while nobody reads it.
 */
export class VisitorRequest extends IncomingMessage {
  private smallPieces = 0;
  private joined: Buffer | undefined;
  private joinedBytes = 0;

  override push(piece: Buffer | null): boolean {
    if (piece !== null && piece.length < SMALL_BYTES) {
      this.smallPieces += 1;
      if (this.smallPieces > PIECES_BEFORE_JOINING) return this.join(piece);
    }
    this.flushJoined();
    return super.push(piece);
  }

  flushJoined(): void {
    const { joined, joinedBytes } = this;
    if (joined === undefined) return;
    this.joined = undefined;
    this.joinedBytes = 0;
    super.push(joined.subarray(0, joinedBytes));
  }

  private join(piece: Buffer): boolean {
    if (this.joinedBytes + piece.length > JOINED_BYTES) this.flushJoined();
    if (this.joined === undefined) {
      this.joined = Buffer.allocUnsafeSlow(JOINED_BYTES);
      // After all that was read: Node empties the queue of `process.nextTick` after each chunk.
      setImmediate(flushJoined, this);
    }
    this.joinedBytes += piece.copy(this.joined, this.joinedBytes);
    return this.readableLength + this.joinedBytes < this.readableHighWaterMark;
  }
}

function flushJoined(request: VisitorRequest): void {
  request.flushJoined();
}
