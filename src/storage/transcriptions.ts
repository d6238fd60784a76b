import { transcription } from '../domain/transcription.ts';
import { artifactsOf } from './artifacts.ts';

export const {
  find: findTranscription,
  save: saveTranscription,
  load: loadTranscription,
} = artifactsOf(transcription);
