import { extractorContract } from '../../../test/contract/llm.ts';
import { openLocalExtractor } from './local.ts';

extractorContract('local', openLocalExtractor);
