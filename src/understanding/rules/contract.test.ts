import { extractorContract } from '../../../test/contract/llm.ts';
import { openLocalExtractor } from '../../extraction/local.ts';

extractorContract('local', openLocalExtractor);
