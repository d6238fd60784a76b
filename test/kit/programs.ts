import { findProgram } from '../../src/lib/find-program.ts';

/** Programs that tests compare with, where they are installed. */
export const installed = {
  bsdtar: findProgram('bsdtar'),
  readpst: findProgram('readpst'),
  sevenZip: findProgram('7z'),
  soffice: findProgram('soffice'),
};
