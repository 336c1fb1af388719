import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pictureSize } from './picture-size.ts';

/** One page of the guide, as it was written. */
export type WrittenPage = { slug: string; title: string; markdown: string };

/** A picture, as the bytes of a PNG, and how large it is. */
export type GuidePicture = { name: string; bytes: Buffer; width: number; height: number };

export type WrittenGuide = { pages: WrittenPage[]; pictures: GuidePicture[] };

const PAGE = /^\d\d-([a-z-]+)\.md$/;
const VARIABLES = /^<!-- variables: .* -->$/m;
const VARIABLES_TABLE = /^\| Variable .*?\n(?=\n)/ms;

/**
 * The guide's folder: numbered pages in their order, and their pictures. The first page is the one at `/docs`. The
 * table of variables is written once, in the readme.
 */
export async function readGuide(folder: string, readme: string): Promise<WrittenGuide> {
  const names = (await readdir(folder)).filter((name) => PAGE.test(name)).sort();
  const variables = VARIABLES_TABLE.exec(await readFile(readme, 'utf8'))?.[0] ?? '';
  const pages = await Promise.all(names.map((name) => readPage(folder, name, variables)));
  const pictures = await readPictures(join(folder, 'pictures'));
  return { pages, pictures };
}

async function readPage(folder: string, name: string, variables: string): Promise<WrittenPage> {
  const written = await readFile(join(folder, name), 'utf8');
  const markdown = written.replace(VARIABLES, () => variables);
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
