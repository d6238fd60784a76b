import type { Format } from '../format.ts';
import { listZipNames } from '../zip-names.ts';

const types = {
  'application/vnd.apple.pages': ['pages'],
  'application/vnd.apple.numbers': ['numbers'],
  'application/vnd.apple.keynote': ['key'],
};

type IworkType = keyof typeof types;

const hints = ['Index/', 'Index.zip', 'index.apxl', 'index.xml', 'QuickLook/', 'preview'];

/** Apple's formats are not documented. Files with a preview are read from it, page by page. */
export const iwork: Format = {
  title: 'Apple iWork (embedded PDF preview only)',
  types,
  accepts: async (sample) => findType([...(await listZipNames(sample, hints))]),
  inspect: async (input) => {
    const { usePreview } = await import('./preview.ts');
    const { inspectPdf } = await import('../pdf/read.ts');
    return usePreview(input, inspectPdf);
  },
  text: async (input) => {
    const { usePreview } = await import('./preview.ts');
    const { readPdf } = await import('../pdf/read.ts');
    return usePreview(input, readPdf);
  },
  pages: async (input) => {
    const { usePreview } = await import('./preview.ts');
    const { loadPdfPage } = await import('../pdf/render.ts');
    return usePreview(input, loadPdfPage);
  },
};

/** By the entries that only these programs write; those before 2013 write XML. */
function findType(names: readonly string[]): IworkType | undefined {
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name));
  if (has(/^index\.apxl(\.gz)?$/)) return 'application/vnd.apple.keynote';
  const isOld = has(/^index\.xml(\.gz)?$/) && has(/^(QuickLook|buildVersionHistory\.plist)/);
  if (!isOld && !has(/^Index(\/Document\.iwa|\.zip)$/)) return undefined;
  if (has(/^Index\/(Slide|MasterSlide|TemplateSlide)[^/]*\.iwa$/))
    return 'application/vnd.apple.keynote';
  return has(/^Index\/(Tables\/|CalculationEngine)/)
    ? 'application/vnd.apple.numbers'
    : 'application/vnd.apple.pages';
}
