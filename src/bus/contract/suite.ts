import { burialContract } from './burial.ts';
import { cancelContract } from './cancels.ts';
import { claimContract } from './claims.ts';
import { closeContract } from './closing.ts';
import { crashContract } from './crash.ts';
import { deadLetterContract } from './dead-letters.ts';
import { draftContract } from './drafts.ts';
import { inboxContract } from './inbox.ts';
import { isolationContract } from './isolation.ts';
import type { OpenBus } from './kit.ts';
import { latencyContract } from './latency.ts';
import { limitContract } from './limits.ts';
import { outboxContract } from './outbox.ts';
import { pauseContract } from './pausing.ts';
import { placeContract } from './places.ts';
import { policyContract } from './policies.ts';
import { quietContract } from './quiet.ts';
import { recallContract } from './recalls.ts';
import { retryContract } from './retries.ts';
import { steeringContract } from './steering.ts';
import { turnContract } from './turns.ts';
import { uncertainContract } from './uncertain.ts';

/**
 * Registers the tests that every MessageBus has to pass, under `name`. `open` hands out a fresh, empty bus for each
 * test and closes it (with everything it opened beside it) by `t.after`. Tests that need another instance or another
 * opening are registered as skipped when the implementation has none.
 */
export function busContract(name: string, open: OpenBus): void {
  inboxContract(`${name}: inbox`, open);
  turnContract(`${name}: turns`, open);
  retryContract(`${name}: retries`, open);
  cancelContract(`${name}: cancels`, open);
  policyContract(`${name}: busy policies`, open);
  steeringContract(`${name}: steering`, open);
  quietContract(`${name}: bursts`, open);
  recallContract(`${name}: recalls`, open);
  placeContract(`${name}: places`, open);
  pauseContract(`${name}: pauses`, open);
  outboxContract(`${name}: outbox`, open);
  uncertainContract(`${name}: uncertain sends`, open);
  limitContract(`${name}: rate limits`, open);
  draftContract(`${name}: drafts`, open);
  deadLetterContract(`${name}: dead letters`, open);
  claimContract(`${name}: claims, leases, broadcast`, open);
  closeContract(`${name}: close`, open);
  crashContract(`${name}: crash`, open);
  isolationContract(`${name}: isolation`, open);
  burialContract(`${name}: burial`, open);
  latencyContract(`${name}: latency`, open);
}
