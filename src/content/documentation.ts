import { type Capability, capabilities } from './format.ts';
import { describeFormats } from './index.ts';

const meanings: Record<Capability, string> = {
  text: 'the text that the file carries is read',
  pages: 'its pages are seen as pictures, and read by OCR where they carry no text',
  pdf: 'parts of it can be made into a PDF of their own',
  unpack: 'each file in it becomes a document of its own',
};

/** docs/formats.md: what is accepted, from the table of formats. */
export function documentFormats(): string {
  const rows = describeFormats().map(({ title, mediaTypes, extensions, capabilities: can }) => [
    title,
    extensions.map((extension) => `\`.${extension}\``).join(' '),
    mediaTypes.map((type) => `\`${type}\``).join(' '),
    ...capabilities.map((capability) => (can.includes(capability) ? 'yes' : '')),
  ]);
  const head = ['format', 'usual names', 'media types', ...capabilities];
  const table = [head, head.map(() => '---'), ...rows];
  return [
    '# Accepted formats',
    '',
    'Generated from `src/content/` by `npm run formats`. A file is recognised by its content, whatever its name says.',
    'Everything else ends as `UNSUPPORTED_TYPE` with a hint. `GET /v1/formats` returns the same list.',
    '',
    ...table.map((cells) => `| ${cells.join(' | ')} |`),
    '',
    ...capabilities.map((capability) => `* \`${capability}\`: ${meanings[capability]}`),
    '',
  ].join('\n');
}
