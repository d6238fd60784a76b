import { extraction } from '../domain/extraction.ts';
import { artifactsOf } from './artifacts.ts';

export const { find: findExtraction, save: saveExtraction } = artifactsOf(extraction);
