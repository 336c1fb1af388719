import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Origin, uploadedSource } from '@longshore/contract';
import { archivePath } from '../../src/build/unpack-upload.ts';

/** A member of an archive that may break every rule. */
export type Member = {
  path: string;
  /** The type flag. Default: a file. */
  type?: string;
  content?: string | Buffer;
  mode?: number;
  link?: string;
  /** Replaces the size of the content in the header. */
  size?: number;
};

const BLOCK = 512;

/** A tar archive with these members. */
export function tarOf(members: Member[], { hasEnd = true } = {}): Buffer {
  const end = hasEnd ? [Buffer.alloc(2 * BLOCK)] : [];
  return Buffer.concat([...members.flatMap(memberBlocks), ...end]);
}

export function archiveOf(members: Member[]): Buffer {
  return gzipSync(tarOf(members));
}

/** Files as a well-formed archive. */
export function filesArchive(files: Record<string, string>): Buffer {
  return archiveOf(Object.entries(files).map(([path, content]) => ({ path, content })));
}

/** Stores files as if they had been uploaded for an app. */
export async function storeUpload(
  dataDir: string,
  appId: string,
  files: Record<string, string>,
): Promise<Origin> {
  const archive = filesArchive(files);
  const { url, ref } = uploadedSource(createHash('sha256').update(archive).digest('hex'));
  const path = archivePath(dataDir, appId, ref);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, archive);
  return { kind: 'git', url, ref };
}

/** A pax header for the next member. */
export function paxHeader(records: Record<string, string>, type = 'x'): Member {
  const content = Object.entries(records).map(([key, value]) => {
    const rest = ` ${key}=${value}\n`;
    const bytes = Buffer.byteLength(rest);
    const digits = String(bytes + String(bytes).length).length;
    return `${bytes + digits}${rest}`;
  });
  return { path: 'pax', type, content: content.join('') };
}

function memberBlocks(member: Member): Buffer[] {
  const { path, type = '0', content = '', mode = 0o644, link = '' } = member;
  const bytes = Buffer.from(content);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, '0'), at, 'latin1');
  Buffer.from(path).copy(header, 0, 0, 100);
  octal(mode, 100, 8);
  octal(member.size ?? bytes.length, 124, 12);
  octal(1_700_000_000, 136, 12);
  header.fill(' ', 148, 156);
  header.write(type, 156, 'latin1');
  Buffer.from(link).copy(header, 157, 0, 100);
  header.write('ustar\x0000', 257, 'latin1');
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    8,
  );
  return [header, bytes, Buffer.alloc(-bytes.length & (BLOCK - 1))];
}
