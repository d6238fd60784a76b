import { expect, it } from 'vitest';
import { checkKey, storageKeys } from './keys.ts';

it('lays objects out by document and ingestion', () => {
  expect(storageKeys.original('d1', '.PDF')).toBe('documents/d1.pdf');
  expect(storageKeys.transcription('i1', 1)).toBe('ingestions/i1/transcription-output.json');
  expect(storageKeys.transcription('i1', 2)).toBe('ingestions/i1/transcription-output-2.json');
  expect(storageKeys.preprocessed('i1', 'png')).toBe('ingestions/i1/preprocessed.png');
  expect(storageKeys.extraction('i1')).toBe('ingestions/i1/extraction-output.json');
});

it.each(['', '../x', 'p/df', 'waytoolong', 'é', 'a b'])(
  'makes a harmless key of the extension %j',
  (extension) => {
    expect(storageKeys.original('d1', extension)).toBe('documents/d1.bin');
    expect(() => checkKey(storageKeys.original('d1', extension))).not.toThrow();
  },
);
