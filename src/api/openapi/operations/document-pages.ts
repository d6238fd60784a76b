import { z } from 'zod';
import { box, quality } from '../../../domain/transcription.ts';
import { named } from '../../named.ts';
import { imageQuery } from '../../routes/document-pages.ts';
import type { Operation } from '../operation.ts';

const tag = 'documents';
const access = 'user';

const pageSchema = named(
  'Page',
  z.looseObject({
    number: z.int().positive(),
    width: z.number().nullable().describe('Of the page as it is shown; null if it has no size'),
    height: z.number().nullable(),
    unit: z
      .enum(['point', 'pixel'])
      .nullable()
      .describe('Of width and height; a point is 1/72 inch'),
    rotation: z
      .literal([0, 90, 180, 270])
      .describe('Degrees by which the page was turned clockwise to be read; images are turned too'),
    repaired: z.boolean().describe('Whether it was read, and is shown, as cleaned by preprocess'),
    native: z.boolean().describe('Whether the text is from the file itself, not from OCR'),
    words: z.int().describe('Number of words with a box'),
    quality,
  }),
);

const wordsSchema = named(
  'PageWords',
  z.looseObject({
    number: z.int().positive(),
    words: z.array(
      z.looseObject({
        text: z.string(),
        box: box
          .nullable()
          .describe('[left, top, right, bottom] in fractions of the page, from 0 to 1'),
        confidence: z.number().min(0).max(1),
      }),
    ),
  }),
);

const unchanged = { description: 'Unchanged since the response with the ETag of If-None-Match' };

export const documentPageOperations: Operation[] = [
  {
    operationId: 'listPages',
    method: 'get',
    path: '/v1/documents/{id}/pages',
    tag,
    access,
    summary: 'List the pages of a document with their size, number of words and quality',
    answers: {
      200: {
        description: 'The pages; `images` is false for files without pages of their own',
        schema: named('Pages', z.looseObject({ images: z.boolean(), pages: z.array(pageSchema) })),
      },
      304: unchanged,
    },
  },
  {
    operationId: 'getPageWords',
    method: 'get',
    path: '/v1/documents/{id}/pages/{page}/words',
    tag,
    access,
    summary: 'Get the words of a page in reading order, with their boxes',
    answers: { 200: { description: 'The words', schema: wordsSchema }, 304: unchanged },
  },
  {
    operationId: 'getPageImage',
    method: 'get',
    path: '/v1/documents/{id}/pages/{page}/image',
    tag,
    access,
    summary: 'Get an image of a page as it was read: boxes of words and evidence fit on it',
    query: imageQuery,
    answers: { 200: { description: 'The image', mediaType: 'image/webp' }, 304: unchanged },
  },
];
