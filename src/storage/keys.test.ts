import { expect, it } from 'vitest';
import { keys } from './keys.ts';
import { checkKey } from './valid-key.ts';

it('lays objects out by document and ingestion', () => {
  expect(keys.original('d1', '.PDF')).toBe('documents/d1.pdf');
  expect(keys.transcription('i1', 1)).toBe('ingestions/i1/transcription-output.json');
  expect(keys.transcription('i1', 2)).toBe('ingestions/i1/transcription-output-2.json');
  expect(keys.preprocessed('i1', 'png')).toBe('ingestions/i1/preprocessed.png');
  expect(keys.extraction('i1')).toBe('ingestions/i1/extraction-output.json');
});

it.each(['', '../x', 'p/df', 'waytoolong', 'é', 'a b'])(
  'makes a harmless key of the extension %j',
  (extension) => {
    expect(keys.original('d1', extension)).toBe('documents/d1.bin');
    expect(() => checkKey(keys.original('d1', extension))).not.toThrow();
  },
);
