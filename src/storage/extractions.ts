import { extraction, typeChoice } from '../domain/extraction.ts';
import { artifactsOf } from './artifacts.ts';

export const { find: findExtraction, save: saveExtraction } = artifactsOf(extraction);
export const { find: findTypeChoice, save: saveTypeChoice } = artifactsOf(typeChoice);
