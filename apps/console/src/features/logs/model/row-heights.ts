/** The height of a line that is not wrapped. */
export const ROW_PX = 20;

const CHUNK_ROWS = 1_024;

/** The heights of rows by their id: `ROW_PX`, unless another height was measured. */
export type RowHeights = {
  /** Returns whether the height differs from the one before. */
  set(id: number, heightPx: number): boolean;
  /** The height of the rows from `first` up to, but not including, `end`. */
  between(first: number, end: number): number;
  /** The row at a distance from the top of `first`, and how far below the top of that row it is. */
  rowAt(first: number, distancePx: number): { id: number; offsetPx: number };
};

/** Stores only rows with another height, in chunks, so that a million rows cost nothing until they are measured. */
export function createRowHeights(): RowHeights {
  const chunks = new Map<number, { extras: Float32Array; sum: number }>();

  function extraOf(id: number): number {
    return chunks.get(chunkOf(id))?.extras[indexIn(id)] ?? 0;
  }

  /** The additional height in a range of one chunk. */
  function extrasInChunk(first: number, end: number): number {
    const chunk = chunks.get(chunkOf(first));
    if (chunk === undefined) return 0;
    if (end - first === CHUNK_ROWS) return chunk.sum;
    let sum = 0;
    for (let id = first; id < end; id += 1) sum += chunk.extras[indexIn(id)] ?? 0;
    return sum;
  }

  return {
    set(id, heightPx) {
      const extra = Math.fround(heightPx - ROW_PX);
      const before = extraOf(id);
      if (extra === before) return false;
      const chunk = chunks.get(chunkOf(id)) ?? { extras: new Float32Array(CHUNK_ROWS), sum: 0 };
      chunk.extras[indexIn(id)] = extra;
      chunk.sum += extra - before;
      chunks.set(chunkOf(id), chunk);
      return true;
    },
    between(first, end) {
      let sum = (end - first) * ROW_PX;
      if (chunks.size === 0) return sum;
      for (let id = first; id < end; ) {
        const chunkEnd = Math.min(end, (chunkOf(id) + 1) * CHUNK_ROWS);
        sum += extrasInChunk(id, chunkEnd);
        id = chunkEnd;
      }
      return sum;
    },
    rowAt(first, distancePx) {
      let [id, left] = [first, Math.max(0, distancePx)];
      if (chunks.size === 0) {
        return { id: first + Math.floor(left / ROW_PX), offsetPx: left % ROW_PX };
      }
      for (;;) {
        const chunkEnd = (chunkOf(id) + 1) * CHUNK_ROWS;
        const heightPx = (chunkEnd - id) * ROW_PX + extrasInChunk(id, chunkEnd);
        if (heightPx > left) break;
        left -= heightPx;
        id = chunkEnd;
      }
      for (let heightPx = ROW_PX + extraOf(id); heightPx <= left; heightPx = ROW_PX + extraOf(id)) {
        left -= heightPx;
        id += 1;
      }
      return { id, offsetPx: left };
    },
  };
}

function chunkOf(id: number): number {
  return Math.floor(id / CHUNK_ROWS);
}

function indexIn(id: number): number {
  return id - chunkOf(id) * CHUNK_ROWS;
}
