import { transcription } from '../domain/transcription.ts';
import { artifactStore } from './artifacts.ts';

export const {
  find: findTranscription,
  save: saveTranscription,
  load: loadTranscription,
  copy: copyTranscription,
  read: readTranscription,
} = artifactStore(transcription);
