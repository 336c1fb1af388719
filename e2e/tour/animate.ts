import { applyPalette, GIFEncoder, quantize } from 'gifenc';
import { PNG } from 'pngjs';

export type Frame = { png: Buffer; ms: number };

const COLOURS = 256;

/** Encodes pictures of the same size as one GIF. */
export function animate(frames: Frame[]): Buffer {
  const gif = GIFEncoder();
  for (const { png, ms } of frames) {
    const { data, width, height } = PNG.sync.read(png);
    const palette = quantize(data, COLOURS);
    gif.writeFrame(applyPalette(data, palette), width, height, { palette, delay: ms });
  }
  gif.finish();
  return Buffer.from(gif.bytes());
}
