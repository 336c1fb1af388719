import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The Markdown source of one page. */
export type SourcePage = { slug: string; title: string; markdown: string };

/** A PNG picture with its size in pixels. */
export type GuidePicture = { name: string; bytes: Buffer; width: number; height: number };

export type GuideSource = { pages: SourcePage[]; pictures: GuidePicture[] };

const PAGE = /^\d\d-([a-z-]+)\.md$/;
const VARIABLES = /^<!-- variables: .* -->$/m;
const VARIABLES_TABLE = /^\| Variable .*?\n(?=\n)/ms;

/**
 * Reads the guide's folder: the numbered pages in their order, and their pictures. The first page is shown at `/docs`. The
 * table of environment variables is copied from the README.
 */
export async function readGuide(folder: string, readme: string): Promise<GuideSource> {
  const names = (await readdir(folder)).filter((name) => PAGE.test(name)).sort();
  const variables = VARIABLES_TABLE.exec(await readFile(readme, 'utf8'))?.[0] ?? '';
  const pages = await Promise.all(names.map((name) => readPage(folder, name, variables)));
  const pictures = await readPictures(join(folder, 'pictures'));
  return { pages, pictures };
}

async function readPage(folder: string, name: string, variables: string): Promise<SourcePage> {
  const source = await readFile(join(folder, name), 'utf8');
  const markdown = source.replace(VARIABLES, () => variables);
  const title = /^# (.+)$/m.exec(markdown)?.[1];
  if (title === undefined) throw new Error(`${name} has no title`);
  return { slug: PAGE.exec(name)?.[1] ?? '', title, markdown };
}

async function readPictures(folder: string): Promise<GuidePicture[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.png')).sort();
  return await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(folder, name));
      return { name, bytes, ...pictureSize(bytes) };
    }),
  );
}

const WIDTH_OFFSET = 16;
const HEIGHT_OFFSET = 20;

/** The size in pixels, from the header chunk of the PNG. */
function pictureSize(png: Buffer): { width: number; height: number } {
  if (png.toString('latin1', 12, 16) !== 'IHDR') throw new Error('Not a PNG');
  return { width: png.readUInt32BE(WIDTH_OFFSET), height: png.readUInt32BE(HEIGHT_OFFSET) };
}
