import { type Capability, capabilities } from './format.ts';
import { describeFormats } from './index.ts';

const meanings: Record<Capability, string> = {
  text: 'text stored in the file is read directly',
  pages: 'pages can be rendered as images; pages without text are read by OCR',
  pdf: 'a range of pages can be exported as a separate PDF',
  metadata: 'what the file says about itself (author, title, dates) is stored with the document',
  unpack: 'each contained file becomes a separate document',
};

/** Generates docs/formats.md from the table of formats. */
export function documentFormats(): string {
  const rows = describeFormats().map(({ title, mediaTypes, extensions, capabilities: can }) => [
    title,
    extensions.map((extension) => `\`.${extension}\``).join(' '),
    mediaTypes.map((type) => `\`${type}\``).join(' '),
    ...capabilities.map((capability) => (can.includes(capability) ? 'yes' : '')),
  ]);
  const head = ['format', 'extensions', 'media types', ...capabilities];
  const table = [head, head.map(() => '---'), ...rows];
  return [
    '# Accepted formats',
    '',
    'Generated from `src/content/` by `npm run formats`. `GET /v1/formats` returns the same list.',
    'Files are recognised by content, not by name. Others fail with `UNSUPPORTED_TYPE` and a hint.',
    '',
    ...table.map((cells) => `| ${cells.join(' | ')} |`),
    '',
    ...capabilities.map((capability) => `* \`${capability}\`: ${meanings[capability]}`),
    '',
  ].join('\n');
}
