import { redisContract } from './testing/contract.ts';

redisContract('redis', 1);
