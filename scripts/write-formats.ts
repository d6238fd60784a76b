// Writes docs/formats.md from the table of formats.
import { writeFileSync } from 'node:fs';
import { documentFormats } from '../src/content/documentation.ts';

writeFileSync('docs/formats.md', documentFormats());
