import { extraction, typeChoice } from '../domain/extraction.ts';
import { artifactStore } from './artifacts.ts';

export const { find: findExtraction, save: saveExtraction } = artifactStore(extraction);
export const { find: findTypeChoice, save: saveTypeChoice } = artifactStore(typeChoice);
