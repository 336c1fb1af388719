const WIDTH_AT = 16;
const HEIGHT_AT = 20;

/** The size of a PNG in dots, which its first chunk tells. */
export function pictureSize(png: Buffer): { width: number; height: number } {
  if (png.toString('latin1', 12, 16) !== 'IHDR') throw new Error('Not a PNG');
  return { width: png.readUInt32BE(WIDTH_AT), height: png.readUInt32BE(HEIGHT_AT) };
}
