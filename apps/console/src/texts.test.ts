import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hardcodedTexts } from '../test/hardcoded-texts.ts';

/** Product names are the same in every language. */
const NAMES = ['Longshore', 'Gitea / Forgejo', 'Samsung Internet'];

const files = globSync('{app,features,proof,shell,ui}/**/*.{ts,tsx}', {
  cwd: import.meta.dirname,
}).filter((file) => !/\.test\.tsx?$|(?:^|\/)(?:messages|texts)\.ts$/.test(file));

describe('the texts of the console', () => {
  it('are defined in messages.ts and texts.ts', () => {
    const hardcoded = files.flatMap((file) =>
      hardcodedTexts(file, readFileSync(join(import.meta.dirname, file), 'utf8'))
        .filter((text) => !NAMES.includes(text))
        .map((text) => `${file}: ${text}`),
    );
    expect(files.length).toBeGreaterThan(100);
    expect(hardcoded).toEqual([]);
  });

  it.each([
    ['<p>Not yet</p>', ['Not yet']],
    ['<p>{count} apps</p>', ['apps']],
    ["<p>{isOn ? 'on' : 'off'}</p>", ['on', 'off']],
    ["<>{at > 0 && ' and '}</>", ['and']],
    ['<Field label="Port" className="grid gap-4" type="text" />', ['Port']],
    ['<Field label={`Key ${place}`} />', ['Key …']],
    ["<Field label={kind === 'port' ? MESSAGES.port : name} />", []],
    ["<p title={date.toLocaleString('en-US')}>{date}</p>", []],
    ["const ALL = { value: 'all', label: 'All' };", ['All']],
    ["const sentence = isFirst ? 'Nothing deployed yet' : 'again';", ['Nothing deployed yet']],
    ['const question = `Delete ${name} at once?`;', ['Delete … at once?']],
    ["if (press.key === 'Escape') close();", []],
  ])('are found in %s', (source, texts) => {
    expect(hardcodedTexts('a-file.tsx', source)).toEqual(texts);
  });
});
