import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { readGuide } from './read-guide.ts';
import { renderGuide } from './render-guide.ts';

const ROOT = join(import.meta.dirname, '../../..');
const GUIDE = join(ROOT, 'docs/guide');
const README = join(ROOT, 'README.md');
const STYLES = ['fonts', 'accents', 'themes'].map((name) => `../src/styles/${name}.css`);
const LOGO = '../public/favicon.svg';

/** Adds the user guide to the build as static pages without React. */
export function guide(): Plugin {
  return {
    name: 'guide',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: here('browser/page.ts'), fileName: 'docs/guide.js' });
    },
    async generateBundle() {
      const styles = await Promise.all(
        [...STYLES, 'guide.css'].map((path) => readFile(here(path), 'utf8')),
      );
      this.emitFile({ type: 'asset', fileName: 'docs/guide.css', source: styles.join('\n') });
      const logo = await readFile(here(LOGO), 'utf8');
      const files = renderGuide(await readGuide(GUIDE, README), logo);
      for (const [fileName, source] of files) {
        this.emitFile({ type: 'asset', fileName, source });
      }
    },
  };
}

function here(path: string): string {
  return join(import.meta.dirname, path);
}
