import { extractorContract } from '../../../test/contract/llm.ts';
import { openLocalExtractor } from './index.ts';

extractorContract('local', openLocalExtractor);
